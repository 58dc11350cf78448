import type { RecordValues } from '../../../../records/model/record-store.ts'
import type { TransferLine } from '../../foreign-hub.ts'
import { remarkCounts } from '../../remark-counts.ts'

/** Reason for a change, or for leaving a row out, with the name of the row, which the rehearsal shows as an example. */
export type RowRemark = { readonly reason: string; readonly example: string }

/** Values of a record to insert. The id is decided here, so that a second import finds the record. */
export type NewRecord = RecordValues & { readonly id: string }

/** Decision about one row of the other hub: it becomes a record, is here already, or is left out. */
export type RowJudgement =
  | { readonly decision: 'taken'; readonly record: NewRecord; readonly changes: readonly RowRemark[] }
  | { readonly decision: 'present'; readonly changes?: readonly RowRemark[] }
  | { readonly decision: 'left out'; readonly because: RowRemark }

export const present: RowJudgement = { decision: 'present' }

export const leftOut = (reason: string, example: string): RowJudgement => ({ decision: 'left out', because: { reason, example } })

/** Counts judgements of rows for one line of the rehearsal. `bytes` is the estimated growth of this hub's database. */
export function lineTally(what: string) {
  const counts = { found: 0, taken: 0, present: 0, bytes: 0 }
  const changed = remarkCounts()
  const dropped = remarkCounts()
  return {
    add(judgement: RowJudgement): void {
      counts.found += 1
      if (judgement.decision === 'left out') return dropped.add(judgement.because.reason, judgement.because.example)
      for (const { reason, example } of judgement.changes ?? []) changed.add(reason, example)
      if (judgement.decision === 'present') {
        counts.present += 1
        return
      }
      counts.taken += 1
      counts.bytes += ROW_BYTES + 2 * JSON.stringify(judgement.record).length
    },
    line: (): TransferLine => ({
      what,
      found: counts.found,
      taken: counts.taken,
      present: counts.present,
      changed: changed.list(),
      leftOut: dropped.list(),
    }),
    bytes: () => counts.bytes,
  }
}

/** Estimated bytes of a stored row besides its values: its index entries and their share of the pages. */
const ROW_BYTES = 200
