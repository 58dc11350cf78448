import type { Clock } from '../../../platform/clock.ts'
import type { History } from '../../../history/model/history.ts'
import { rolledUpTypes, statsRecords } from '../../../history/read/stats-records.ts'
import type { TransferLine } from '../foreign-hub.ts'
import type { ForeignFile } from './foreign-file.ts'

const types = ['1m', ...rolledUpTypes.map(({ type }) => type)]

type HistoryParts = {
  readonly file: ForeignFile
  readonly history: History
  readonly clock: Clock
  readonly systems: readonly string[]
}

/**
 * Exports the part of the history that a Beszel hub would still keep: 1 hour of minutes, 12 h of 10 min, 1 day of 20 min, 1 week of 2 h, 30
 * days of 8 h. Resolves to the counts of rows.
 */
export async function exportHistory({ file, history, clock, systems }: HistoryParts): Promise<readonly TransferLine[]> {
  return [
    await exportKind('system_stats', 'system', { file, history, clock, systems }),
    await exportKind('container_stats', 'containers', { file, history, clock, systems }),
  ]
}

async function exportKind(
  collection: 'system_stats' | 'container_stats',
  kind: 'system' | 'containers',
  { file, history, clock, systems }: HistoryParts,
): Promise<TransferLine> {
  const source = statsRecords(history, kind, clock)
  let rows = 0
  for (const system of systems)
    await file.together(async () => {
      // Without a lower bound, a list reaches back as far as the other hub keeps its rows.
      for (const type of types)
        for (const { created, updated, stats } of await source.load({ systems: [system], type })) {
          file.insert(collection, { system, type, stats: stats ?? null, created: created ?? '', updated: updated ?? '' })
          rows++
        }
    })
  return { what: collection, found: rows, taken: rows, present: 0, changed: [], leftOut: [] }
}
