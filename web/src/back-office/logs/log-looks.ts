import * as words from '../../words/messages.js'

type LevelLook = { readonly name: () => string; readonly text: string; readonly fill: string }

const looks: readonly (LevelLook & { readonly least: number })[] = [
  { least: 8, name: () => words.office_log_error(), text: 'text-crit', fill: 'var(--crit-fill)' },
  { least: 4, name: () => words.office_log_warn(), text: 'text-warn', fill: 'var(--warn-fill)' },
  { least: 0, name: () => words.office_log_info(), text: 'text-muted', fill: 'var(--series-1)' },
]
const debugLook: LevelLook = { name: () => words.office_log_debug(), text: 'text-faint', fill: 'var(--track)' }

/**
 * Returns the translated label and the CSS colours with which a log level is shown. `level` is a number: 8 error, 4 warning, 0 info, lower
 * is debug.
 */
export const lookOf = (level: number): LevelLook => looks.find(({ least }) => level >= least) ?? debugLook
