import { unitOf, type StoredKind } from '@vedette/protocol/metrics/series'
import { csvField } from '../../platform/csv.ts'
import type { History, SystemHistory } from '../model/history.ts'
import { bucketMs, DAY_MS, type Tier, type Window } from '../model/tier.ts'

export const exportFormats = ['csv', 'json', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export type ExportQuery = {
  readonly system: { readonly id: string; readonly name: string }
  readonly kinds: readonly StoredKind[]
  readonly tier: Tier
  readonly window: Window
  readonly format: ExportFormat
}

/**
 * Map from tier (resolution) to the length of the time range that an export loads with one query, in ms. A longer export runs several
 * queries, to limit memory.
 */
const READ_RANGE_MS: Readonly<Record<Tier, number>> = { '1m': DAY_MS, '10m': 7 * DAY_MS, '2h': 60 * DAY_MS }

/**
 * Generates the text of an export of a system's history, in chunks. CSV has one line per series and time, JSON or NDJSON one object per
 * kind and time. Calls `warn` with a sentence for data that cannot be read.
 */
export async function* exportHistory(history: History, query: ExportQuery, warn: (problem: string) => void): AsyncGenerator<string> {
  const { system, kinds, tier, window, format } = query
  if (format === 'csv') yield 'time,system,kind,series,unit,average,minimum,maximum,count\n'
  if (format === 'json') yield '['
  let first = true
  for (let fromMs = window.fromMs; fromMs < window.toMs; fromMs += READ_RANGE_MS[tier]) {
    const part = { fromMs, toMs: Math.min(fromMs + READ_RANGE_MS[tier], window.toMs) }
    for (const kind of kinds) {
      const [found] = await history.read({ systems: [system.id], kind, tier, window: part })
      if (found === undefined) continue
      for (const problem of found.warnings) warn(problem)
      for (const text of pieces(found, { system: system.name, kind, tier, format })) {
        yield format === 'json' && !first ? `,\n${text}` : text
        first = false
      }
    }
  }
  if (format === 'json') yield ']\n'
}

type About = { readonly system: string; readonly kind: StoredKind; readonly tier: Tier; readonly format: ExportFormat }

function* pieces({ table }: SystemHistory, { system, kind, tier, format }: About): Generator<string> {
  const columns = table.series.map(({ key, average, extremes }) => ({ key, unit: unitOf(key), average, extremes }))
  for (const [at, atMs] of table.times.entries()) {
    const time = new Date(atMs).toISOString()
    const known = columns.filter(({ average }) => !Number.isNaN(average[at]))
    if (format === 'csv') {
      yield known
        .map(({ key, unit, average, extremes }) => {
          const numbers = [average, extremes?.minimum, extremes?.maximum, extremes?.count].map((values) => values?.[at] ?? '')
          return `${[time, csvField(system), kind, csvField(key), unit, ...numbers].join(',')}\n`
        })
        .join('')
      continue
    }
    const of = (values: (column: (typeof known)[number]) => number | undefined) =>
      Object.fromEntries(known.map((column) => [column.key, values(column)]))
    const extremes =
      tier === '1m'
        ? {}
        : {
            bucketMs: bucketMs[tier],
            minimum: of((column) => column.extremes?.minimum[at]),
            maximum: of((column) => column.extremes?.maximum[at]),
            count: of((column) => column.extremes?.count[at]),
          }
    const text = JSON.stringify({ time, system, kind, average: of(({ average }) => average[at]), ...extremes })
    yield format === 'ndjson' ? `${text}\n` : text
  }
}
