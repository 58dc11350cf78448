import { choices } from '../../format/choices.ts'
import { formatLocale } from '../../format/locale.ts'
import * as words from '../../words/messages.js'

type LevelLook = { readonly name: () => string; readonly text: string; readonly fill: string }

const looks: readonly (LevelLook & { readonly least: number })[] = [
  { least: 8, name: () => words.office_log_error(), text: 'text-crit', fill: 'var(--crit-fill)' },
  { least: 4, name: () => words.office_log_warn(), text: 'text-warn', fill: 'var(--warn-fill)' },
  { least: 0, name: () => words.office_log_info(), text: 'text-muted', fill: 'var(--series-1)' },
]
const debugLook: LevelLook = { name: () => words.office_log_debug(), text: 'text-faint', fill: 'var(--track)' }

/** How a level is called and looks; the name stands beside the colour. */
export const lookOf = (level: number): LevelLook => looks.find(({ least }) => level >= least) ?? debugLook

/** A moment to the second, in the chosen zone and clock: logs are read line against line. */
export function exactTime(atMs: number): string {
  const { timeZone, hours } = choices()
  return new Intl.DateTimeFormat(formatLocale(), {
    day: '2-digit',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(hours === undefined ? {} : { hourCycle: hours === 12 ? 'h12' : 'h23' }),
  }).format(atMs)
}
