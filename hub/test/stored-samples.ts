import type { SeriesValues, StoredKind } from '@vedette/protocol/metrics/series'
import type { History } from '../src/history/model/history.ts'
import type { SeriesTable } from '../src/history/model/series-table.ts'

export type StoredSample = { readonly system: string; readonly atMs: number; readonly values: SeriesValues }

/** Every sample of one kind that the history has, of one system or of all, by time and then system. */
export async function storedSamples(history: History, kind: StoredKind, system?: string): Promise<readonly StoredSample[]> {
  const window = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  const found = await history.read({ ...(system !== undefined && { systems: [system] }), kind, tier: '1m', window })
  const samples = found.flatMap(({ system: of, table }) =>
    table.times.map((atMs, at) => ({ system: of, atMs, values: valuesAt(table, at) })),
  )
  return samples.toSorted((a, b) => a.atMs - b.atMs || (a.system < b.system ? -1 : 1))
}

/** Averages of one point; what is unknown has no key. */
export function valuesAt({ series }: SeriesTable, at: number): SeriesValues {
  const known = series.map(({ key, average }) => [key, average[at] ?? Number.NaN] as const).filter(([, value]) => !Number.isNaN(value))
  return Object.fromEntries(known)
}
