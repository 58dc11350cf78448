/** Path to a value in a configuration file: list of field names and list indexes, such as `['systems', 3, 'host']`. */
export type ConfigPath = readonly (string | number)[]

/** Error in a configuration file: the path of the wrong value in the file, and a sentence for the author of the file. */
export type ConfigProblem = { readonly path: ConfigPath; readonly message: string }

/**
 * Error when a configuration cannot be exported or a configuration file applied. Nothing has changed. `message` has a line for each
 * problem.
 */
export class ConfigRefusedError extends Error {
  override readonly name = 'ConfigRefusedError'
}

/** Formats the path to a value in a configuration file, such as `systems[3].host`; `''` for the whole file. */
export const pathText = (path: ConfigPath): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${part}`)).join('')
