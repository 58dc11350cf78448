import type { DatabaseOptions } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { acknowledge } from './acknowledge.ts'
import { silentLog } from './databases.ts'
import { notifierOn } from './notified-owners.ts'

/**
 * A process that sends reminders until it is killed. Its clock moves 5 minutes each time all due reminders were sent; it prints each time.
 * Arguments: the database as JSON, the first time in epoch ms.
 */
const [, , place = '', startMs = ''] = process.argv
const at = JSON.parse(place) as DatabaseOptions['at'] // what the test gave
let nowMs = Number(startMs)
const bus = inProcessEventBus()
const database = await openDatabase({ at, bus, log: silentLog })
const { notifier } = await notifierOn(database, { now: () => nowMs }, bus)
for (;;) {
  nowMs += 300_000
  await acknowledge(`${nowMs}\n`)
  notifier.wake()
  await notifier.settled()
}
