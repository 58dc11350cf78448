import type { FieldErrors } from '../../records/model/record-error.ts'

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

/**
 * Converts the errors of a schema check, nested by field name, to a flat list of configuration file errors. `path` is the path of the
 * checked value; each error gets the path of its own field.
 */
export function problemsIn(errors: FieldErrors, path: ConfigPath): readonly ConfigProblem[] {
  return Object.entries(errors).flatMap(([name, error]): readonly ConfigProblem[] => {
    const inner = [...path, /^\d+$/.test(name) ? Number(name) : name]
    const { message } = error
    return typeof message === 'string' ? [{ path: inner, message }] : problemsIn(error as FieldErrors, inner) // an error has a message
  })
}

/**
 * Formats the path to a value in a configuration file as text for messages: `['systems', 3, 'host']` gives `systems[3].host`. Returns `''`
 * for the whole file.
 */
export const pathText = (path: ConfigPath): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${part}`)).join('')
