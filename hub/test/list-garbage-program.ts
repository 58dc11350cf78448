import { pointsOf } from '@vedette/protocol/metrics/series'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collections } from '../src/records/collections/collections.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { historyStore } from '../src/history/history-store.ts'
import { statsRecords } from '../src/history/read/stats-records.ts'
import { logTo } from '../src/platform/log.ts'
import type { StoredRecord } from '../src/records/model/stored-record.ts'
import { fieldPicker, presentRecord } from '../src/records/presentation/present.ts'

// Writes what one list of an hour's `system_stats` leaves that only a collection of everything takes: the most of some rounds, in bytes.
const HOUR_MS = 3_600_000
const LISTS = 300
const ROUNDS = 4
const SYSTEM = 'abcdefghijklmno'

const collection = collections.find('system_stats')
if (collection === undefined) throw new TypeError('Cannot list: there is no such collection')
const pick = fieldPicker('created,stats')
const write = (record: StoredRecord): string => JSON.stringify(pick(presentRecord(collection, record, undefined)))
const directory = mkdtempSync(join(tmpdir(), 'vedette-lists-'))
const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')('history')
const bus = inProcessEventBus()
const db = await openDatabase({ at: { directory }, bus, log })
const clock = { now: () => HOUR_MS }
const history = historyStore({ db, clock, bus, log })
const values = pointsOf(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`temperature.sensor${at}.celsius`, 40 + at])))
const samples = Array.from({ length: 60 }, (_, minute) => ({ system: SYSTEM, atMs: minute * 60_000, kinds: { system: values } }))
await db.write((unit) => history.append(unit, samples))
const { load } = statsRecords(history, 'system', clock)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void // as V8 exposes it
/** Used memory after garbage collection. An object may survive one collection, and memory freed by the second counts after the third. */
function leftBytes(): number {
  for (let at = 0; at < 3; at++) collect({ type: 'minor' })
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function list(): Promise<void> {
  const records = await load({ systems: [SYSTEM], type: '1m' })
  records.map(write).join(',')
}

// Warm-up: memory for compiled code does not count as garbage.
for (let at = 0; at < LISTS; at++) await list()
const left: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const before = leftBytes()
  for (let at = 0; at < LISTS; at++) await list()
  left.push((leftBytes() - before) / LISTS)
}
await db.close()
rmSync(directory, { recursive: true })
process.stdout.write(String(Math.max(...left)))
