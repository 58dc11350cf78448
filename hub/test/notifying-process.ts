import { putNotice } from '../src/alerts/notifications/notice-outbox.ts'
import type { DatabaseOptions } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { acknowledge } from './acknowledge.ts'
import { silentLog } from './databases.ts'
import { notifierOn, ownersOf } from './notified-owners.ts'

/**
 * A process that sends notifications while more notices are stored, until it is killed. It prints the number of each stored notice.
 * Arguments: the database as JSON, how late its clock is, the number of the first notice.
 */
const [, , place = '', lateMs = '', first = ''] = process.argv
const at = JSON.parse(place) as DatabaseOptions['at'] // what the test gave
const clock = { now: () => Date.now() + Number(lateMs) }
const bus = inProcessEventBus()
const database = await openDatabase({ at, bus, log: silentLog })
const { notifier, store } = await notifierOn(database, clock, bus)
const owners = await ownersOf(store)

/** Number of notices; below the count at which they would be combined into one notification. */
const MOST = 80
for (let number = Number(first); number < Number(first) + MOST; number++) {
  const owner = owners[number % owners.length] ?? ''
  for (const transition of ['fired', 'resolved'] as const) {
    const atMs = clock.now()
    const body = { systemName: `s${number}`, kind: 'CPU', value: 90, threshold: 80, minutes: 1, beganMs: atMs }
    await database.write((unit) => putNotice(unit, { incident: `i${number}`, transition, owner, system: 'web', atMs, body }))
  }
  await acknowledge(`${number}\n`)
  notifier.wake()
  // The embedded database works synchronously, so other work needs a turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
}
