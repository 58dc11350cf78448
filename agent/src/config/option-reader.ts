import type { OptionName } from './schema.ts'

/** Reads options by name, flag before environment, and collects all problems before they are reported. */
export type OptionReader = {
  /** As given: an empty text means something for some options. */
  readonly given: (name: OptionName) => string | undefined
  readonly text: (name: OptionName) => string | undefined
  readonly refuse: (problem: string) => void
  readonly remark: (text: string) => void
  readonly fileText: (path: string) => string | undefined
}
