import type { UnitOfWork } from '../../../platform/db/database.ts'
import type { Collection } from '../../../records/model/collection.ts'
import type { ReportProgress, TransferTarget } from '../foreign-hub.ts'
import { leftOut, lineTally, type NewRecord, type RowJudgement } from './rows/row-judgement.ts'
import { manyRecordsOf } from './stored-here.ts'

/**
 * Step of the import: rows of one kind, which are judged one by one, and the function that inserts those that are taken. `judge` decides
 * the same each time, so that the rehearsal and the import agree and no list of rows is needed in memory.
 */
export type RecordStep = {
  readonly what: string
  readonly judge: () => Iterable<RowJudgement>
  /** Inserts taken records in a transaction. It skips those that an interrupted import has inserted. */
  readonly insert: (unit: UnitOfWork, records: readonly NewRecord[]) => Promise<void>
}

/** Maximum number of records, and of characters in them, that one transaction inserts. Longer transactions delay other writers. */
const RECORDS_AT_ONCE = 300
const CHARACTERS_AT_ONCE = 2_000_000

/** Returns a function that inserts records of a collection which are not there yet, and then calls `insert` with them. */
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

/** Judges the rows of a step. A second row with the id of one that is taken is left out. */
function* judgements({ judge }: RecordStep): Generator<RowJudgement> {
  const ids = new Set<string>()
  for (const judgement of judge()) {
    const id = judgement.decision === 'taken' ? judgement.record.id : undefined
    if (id !== undefined && ids.has(id)) yield leftOut('another row has the same id', id)
    else yield judgement
    if (id !== undefined) ids.add(id)
  }
}

/** Judges all rows of a step. Returns its line for the rehearsal and the estimated growth of the database in bytes. */
export function rehearse(step: RecordStep) {
  const tally = lineTally(step.what)
  for (const judgement of judgements(step)) tally.add(judgement)
  return { line: tally.line(), bytes: tally.bytes() }
}

/** Writes the taken rows of a step in small transactions. Returns the number of rows, also of those that are left out. */
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
