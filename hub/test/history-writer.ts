import { openDatabase } from '../src/platform/db/open-database.ts'
import type { DatabaseOptions } from '../src/platform/db/database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { historyStore } from '../src/history/history-store.ts'
import { acknowledge } from './acknowledge.ts'
import { silentLog } from './databases.ts'
import { MINUTE_MS, samplesOfMinute, START_MS } from './written-history.ts'

/**
 * A process that writes history as fast as it can, a minute after the other, and says each that is committed. It goes on
 * until it is killed. Arguments: the database as JSON, the first minute.
 */
const [, , place = '', first = ''] = process.argv
const at = JSON.parse(place) as DatabaseOptions['at'] // what the test gave
let minute = Number(first)
const clock = { now: () => START_MS + minute * MINUTE_MS }
const bus = inProcessEventBus()
const db = await openDatabase({ at, bus, log: silentLog })
const history = historyStore({ db, clock, bus, log: silentLog })

/** The embedded database works synchronously: without a turn of the event loop in between, nothing else would run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

const maintaining = async (): Promise<never> => {
  for (;;) {
    await history.maintain()
    await turn()
  }
}
const writing = async (): Promise<never> => {
  for (;;) {
    await db.write((unit) => history.append(unit, samplesOfMinute(minute)), 'process')
    await acknowledge(`${minute}\n`)
    minute++
    await turn()
  }
}
await Promise.all([maintaining(), writing()])
