import type { Remark, TransferLine } from '../foreign-hub.ts'
import { remarkCounts, type RemarkCounts } from '../remark-counts.ts'
import type { DecodedStats } from './decode-stats.ts'

/** Map from a type of the imported hub's history rows, such as `1m`, to its name in the import's table: `samples of 1 minute`. */
const names = {
  '1m': 'samples of 1 minute',
  '10m': 'averages of 10 minutes',
  '20m': 'averages of 20 minutes',
  '120m': 'averages of 2 hours',
  '480m': 'averages of 8 hours',
} as const

type Line = { found: number; taken: number; present: number; unreadable: number; readonly leftOut: RemarkCounts }

/**
 * Counter of the imported hub's history rows by type, such as `10m`: found, imported, already present, or left out with a reason. It gives
 * the lines of the preview.
 */
export type RowCounts = {
  readonly isType: (type: string) => boolean
  /**
   * Sets the system, by its id in the imported hub, to which all following calls of this counter refer. The id appears in examples of rows
   * that are left out.
   */
  readonly begin: (system: string) => void
  readonly found: (type: string) => void
  readonly taken: (type: string, decoded: DecodedStats) => void
  readonly present: (type: string) => void
  readonly leftOut: (type: string, reason: string, example: string) => void
  readonly lines: () => readonly TransferLine[]
  readonly rows: () => number
  /** Returns how many single values the imported rows have, counted separately for samples and for averages. */
  readonly values: () => { readonly samples: number; readonly averages: number }
}

export function rowCounts(): RowCounts {
  const lines = new Map<string, Line>(Object.keys(names).map((type) => [type, emptyLine()]))
  const other = emptyLine()
  const values = { samples: 0, averages: 0 }
  let system = ''
  const lineOf = (type: string): Line => lines.get(type) ?? other
  const everyLine = (): readonly (readonly [what: string, Line])[] => [
    ...Object.entries(names).map(([type, what]) => [what, lineOf(type)] as const),
    ...(other.found > 0 ? [['other history rows', other] as const] : []),
  ]
  return {
    isType: (type) => lines.has(type),
    begin: (id) => void (system = id),
    found: (type) => void lineOf(type).found++,
    taken(type, { points, unreadable }) {
      lineOf(type).taken++
      lineOf(type).unreadable += unreadable
      values[type === '1m' ? 'samples' : 'averages'] += points.values.length
    },
    present: (type) => void lineOf(type).present++,
    leftOut: (type, reason, example) => lineOf(type).leftOut.add(reason, `${system} ${example}`),
    lines: () => everyLine().map(([what, line]) => transferLine(what, line)),
    rows: () => everyLine().reduce((sum, [, { found }]) => sum + found, 0),
    values: () => values,
  }
}

const emptyLine = (): Line => ({ found: 0, taken: 0, present: 0, unreadable: 0, leftOut: remarkCounts() })

function transferLine(what: string, { found, taken, present, unreadable, leftOut }: Line): TransferLine {
  const changed: readonly Remark[] =
    unreadable === 0 ? [] : [{ reason: 'values that are no numbers are left out of their row', count: unreadable, examples: [] }]
  return { what, found, taken, present, changed, leftOut: leftOut.list() }
}
