import type { Remark, TransferLine, TransferPlan } from '../operations/transfer/foreign-hub.ts'
import { secondsFor } from '../operations/transfer/import-costs.ts'
import { sizeText } from '../operations/transfer/source/free-space.ts'
import { alignedTable } from './aligned-table.ts'

const LONGEST_EXAMPLE = 60

/**
 * Formats the preview of an import as text for the terminal. The table has one row for each of `lines`, a kind of data such as `users`,
 * with its counts. Reasons for changed and omitted records follow.
 */
export function importTable(lines: readonly TransferLine[]): string {
  const rows = lines.map(({ what, found, taken, present, changed, leftOut }) =>
    [what, found, taken, present, countOf(changed), countOf(leftOut)].map(String),
  )
  return [
    alignedTable(['DATA', 'FOUND', 'TAKEN', 'ALREADY HERE', 'CHANGED', 'LEFT OUT'], rows),
    ...remarksOf('Changed', lines, ({ changed }) => changed),
    ...remarksOf('Left out', lines, ({ leftOut }) => leftOut),
  ].join('\n')
}

const countOf = (remarks: readonly Remark[]): number => remarks.reduce((sum, { count }) => sum + count, 0)

function remarksOf(heading: string, lines: readonly TransferLine[], of: (line: TransferLine) => readonly Remark[]): readonly string[] {
  const texts = lines.flatMap((line) => of(line).map((remark) => `  ${line.what}: ${remarkText(remark)}`))
  return texts.length === 0 ? [] : ['', `${heading}:`, ...texts]
}

function remarkText({ reason, count, examples }: Remark): string {
  const shown = examples.map((one) => printable(one)).join(', ')
  const more = count > examples.length ? ', …' : ''
  return `${count} × ${printable(reason, Infinity)}${shown === '' ? '' : ` (${shown}${more})`}`
}

/**
 * Makes a text of the imported hub safe for the terminal: `U+FFFD` replaces control, formatting and line separator characters. A text of
 * over `longest` UTF-16 units is cut and ends with an ellipsis.
 */
function printable(text: string, longest = LONGEST_EXAMPLE): string {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return clean.length > longest ? `${clean.slice(0, longest).toWellFormed()}…` : clean
}

/**
 * Returns two lines of text for the output of `vedette import`. One compares the disk space that the imports in `plans` need with
 * `freeBytes`, the free bytes of the data directory. The other estimates the duration.
 */
export function importCosts(plans: readonly TransferPlan[], freeBytes: number): string {
  const bytes = plans.reduce((sum, plan) => sum + plan.bytes, 0)
  const seconds = secondsFor(plans)
  const time = seconds < 60 ? 'less than 1 min' : `about ${Math.round(seconds / 60)} min`
  return `Disk space: about ${sizeText(bytes)} needed, ${sizeText(freeBytes)} free\nTime: ${time}`
}
