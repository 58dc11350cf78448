import type { RecordValues } from '../../../../records/model/record-store.ts'
import type { TransferLine } from '../../foreign-hub.ts'
import { remarkCounts } from '../../remark-counts.ts'

/** Reason why an imported row was changed or left out. `example` is a short name of the row for the preview, such as an email address. */
export type RowRemark = { readonly reason: string; readonly example: string }

/** Record that an import inserts into this hub. Its id is decided in advance, so that a second import finds the record. */
export type NewRecord = RecordValues & { readonly id: string }

/**
 * Decision about one row of the imported hub. `taken`: it becomes `record`. `present`: this hub has it already. `left out`: it is not
 * imported, for the reason `because`.
 */
export type RowJudgement =
  | { readonly decision: 'taken'; readonly record: NewRecord; readonly changes: readonly RowRemark[] }
  | { readonly decision: 'present'; readonly changes?: readonly RowRemark[] }
  | { readonly decision: 'left out'; readonly because: RowRemark }

export const present: RowJudgement = { decision: 'present' }

export const leftOut = (reason: string, example: string): RowJudgement => ({ decision: 'left out', because: { reason, example } })

/**
 * Creates a counter for one line of the import preview, such as `users` (`what`). `add` counts the decision about one row, `line` returns
 * the line. `bytes` returns the estimated growth of this hub's database.
 */
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

/**
 * Estimated number of bytes, 200, that a stored row needs besides its values, such as index entries. The import's preview adds it for each
 * row.
 */
const ROW_BYTES = 200
