import type { UnitOfWork } from '../../../platform/db/database.ts'
import type { Collection } from '../../../records/model/collection.ts'
import type { ReportProgress, TransferTarget } from '../foreign-hub.ts'
import { leftOut, lineTally, type NewRecord, type RowJudgement } from './rows/row-judgement.ts'
import { manyRecordsOf } from './stored-here.ts'

/**
 * Step of an import: one kind of data (`what`), such as `alerts`. `judge` yields a decision for each row, the same at each call, so that
 * preview and import agree. `insert` inserts the records of imported rows.
 */
export type RecordStep = {
  readonly what: string
  readonly judge: () => Iterable<RowJudgement>
  /**
   * Inserts the given records into this hub in a transaction. Records that an earlier, interrupted import has inserted already are skipped.
   */
  readonly insert: (unit: UnitOfWork, records: readonly NewRecord[]) => Promise<void>
}

/**
 * Maximum number of records that one transaction of an import inserts: 300. More records need further transactions, because long
 * transactions delay other writers. `CHARACTERS_AT_ONCE` limits their size.
 */
const RECORDS_AT_ONCE = 300
const CHARACTERS_AT_ONCE = 2_000_000

/**
 * Creates the function `insert` of an import step for records of `collection`. It drops records whose ids are stored in this hub already,
 * and passes the others to the given `insert` (by default a plain insert).
 */
export function insertNew(
  target: TransferTarget,
  collection: Collection,
  insert: RecordStep['insert'] = (unit, records) => manyRecordsOf(target).insertMany(unit, collection, records),
): RecordStep['insert'] {
  const store = manyRecordsOf(target)
  return async (unit, records) => {
    const ids = records.map(({ id }) => id)
    const before = new Set((await store.loadMany(collection, ids, unit)).map(({ id }) => id))
    const added = records.filter(({ id }) => !before.has(id))
    if (added.length > 0) await insert(unit, added)
  }
}

/**
 * Yields a decision (import it, already present, or leave it out) for each row of an import step. A row with the same id as an earlier
 * imported one is left out.
 */
function* judgements({ judge }: RecordStep): Generator<RowJudgement> {
  const ids = new Set<string>()
  for (const judgement of judge()) {
    const id = judgement.decision === 'taken' ? judgement.record.id : undefined
    if (id !== undefined && ids.has(id)) yield leftOut('another row has the same id', id)
    else yield judgement
    if (id !== undefined) ids.add(id)
  }
}

/**
 * Runs an import step as a preview, without writing. Returns the step's line for the preview, with counts of imported, present and left-out
 * rows, and the estimated growth of the database in bytes.
 */
export function rehearse(step: RecordStep) {
  const tally = lineTally(step.what)
  for (const judgement of judgements(step)) tally.add(judgement)
  return { line: tally.line(), bytes: tally.bytes() }
}

/**
 * Writes those rows of an import step that are imported, in small transactions. Reports `doneRows`, the rows of earlier steps, plus its own
 * as progress. Resolves to the number of all its rows, also of those that are left out.
 */
export async function runStep(
  { database }: TransferTarget,
  step: RecordStep,
  { progress, signal, doneRows }: { readonly progress: ReportProgress; readonly signal: AbortSignal; readonly doneRows: number },
): Promise<number> {
  let [rows, characters, batch]: [number, number, NewRecord[]] = [0, 0, []]
  async function flush(): Promise<void> {
    signal.throwIfAborted()
    if (batch.length > 0) await database.write((unit) => step.insert(unit, batch))
    ;[characters, batch] = [0, []]
    progress(doneRows + rows)
  }
  for (const judgement of judgements(step)) {
    rows += 1
    if (judgement.decision !== 'taken') continue
    batch.push(judgement.record)
    characters += JSON.stringify(judgement.record).length
    if (batch.length >= RECORDS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await flush()
  }
  await flush()
  return rows
}
