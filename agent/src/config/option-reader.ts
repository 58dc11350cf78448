import type { OptionName } from './schema.ts'

/**
 * Functions that read the agent's options by name; a command line flag takes precedence over the environment. Problems are collected, to be
 * reported together.
 */
export type OptionReader = {
  /** Returns the text of an option unchanged; for some options an empty text has a meaning. `undefined` when the option is not set. */
  readonly given: (name: OptionName) => string | undefined
  readonly text: (name: OptionName) => string | undefined
  readonly refuse: (problem: string) => void
  readonly remark: (text: string) => void
  readonly fileText: (path: string) => string | undefined
}
