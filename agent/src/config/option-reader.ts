import type { OptionName } from './schema.ts'

/**
 * Functions that read the agent's options by name, and collect problems and warnings to report them together. A command line flag takes
 * precedence over the environment.
 */
export type OptionReader = {
  /**
   * Returns the text of an option (flag or environment variable) unchanged; `undefined` when it is not set. An empty text counts as set,
   * because it has a meaning for some options.
   */
  readonly given: (name: OptionName) => string | undefined
  readonly text: (name: OptionName) => string | undefined
  readonly refuse: (problem: string) => void
  readonly remark: (text: string) => void
  readonly fileText: (path: string) => string | undefined
}
