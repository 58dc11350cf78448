import { readSync } from 'node:fs'
import type { DatabaseOptions } from '../../../src/platform/db/database.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { planRecords } from '../../../src/operations/transfer/records/plan-records.ts'
import { silentLog } from '../../databases.ts'
import { largeHub, targetOn } from './records-scene.ts'

/**
 * A process that imports. After each transaction it prints the number of rows and waits for a byte on its standard input, so that it can be
 * killed there. Argument: the database as JSON.
 */
const at = JSON.parse(process.argv[2] ?? '') as DatabaseOptions['at'] // what the test gave
const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
using foreign = largeHub()
const plan = await planRecords(foreign, targetOn(database), { admins: ['admin@example.com'] })
const byte = Buffer.alloc(1)
await plan.write((doneRows) => {
  process.stdout.write(`${doneRows}\n`)
  readSync(0, byte)
}, new AbortController().signal)
await database.close()
