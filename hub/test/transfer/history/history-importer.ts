import { DatabaseSync } from 'node:sqlite'
import { planHistory } from '../../../src/operations/transfer/history/plan-history.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import type { DatabaseOptions } from '../../../src/platform/db/database.ts'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { acknowledge } from '../../acknowledge.ts'
import { silentLog } from '../../databases.ts'

/**
 * A process that takes over the history of another hub and prints a line for each part that is committed. Arguments: the database as JSON,
 * the other hub's file, the time in epoch ms.
 */
const [, , at = '', file = '', nowMs = ''] = process.argv
const foreign = new DatabaseSync(file, { readOnly: true })
const ids = foreign
  .prepare('select id from systems')
  .all()
  .map(({ id }) => String(id))
const database = await openDatabase({ at: JSON.parse(at) as DatabaseOptions['at'], bus: inProcessEventBus(), log: silentLog }) // what the test gave
const plan = await planHistory({ database: foreign }, { database, clock: { now: () => Number(nowMs) } }, new Map(ids.map((id) => [id, id])))
await plan.write((rows) => void acknowledge(`${rows}\n`), new AbortController().signal)
await database.close()
