import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { DatabaseOptions } from '../../src/platform/db/database.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { rolledUp } from '../../src/history/model/roll-up.ts'
import { loadStoredHistory } from '../../src/history/store/stored-history.ts'
import { bucketMs, bucketStart, DAY_MS } from '../../src/history/model/tier.ts'
import { verifyHistory } from '../../src/history/store/verify.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog } from '../databases.ts'
import { EVER } from '../history-scene.ts'
import { killRounds, killTimeoutMs } from '../kill-rounds.ts'
import { LATE_MINUTES, MINUTE_MS, START_MS, systemName, SYSTEMS, timesOf } from '../written-history.ts'

/** A round writes for seconds, and the next round reads all of it. */
const ROUNDS = killRounds(3, 8)
/** After most kills of a long run only recent and late samples are read again. */
const WHOLE_EVERY = ROUNDS > 25 ? 10 : 1
const writer = join(import.meta.dirname, '..', 'history-writer.ts')

for (const kind of databases) {
  test(
    `${kind.name}: a history whose writer is killed neither loses nor doubles a sample (${ROUNDS} rounds)`,
    { timeout: killTimeoutMs(ROUNDS) },
    async () => {
      await using place = await kind.place()
      let minutes = 0
      for (let round = 0; round < ROUNDS; round++) {
        const acknowledged = await writeUntilKilled(place.at, minutes, 400 + ((round * 97) % 300))
        const isWhole = (round + 1) % WHOLE_EVERY === 0
        const fromMs = isWhole ? 0 : bucketStart(START_MS + (minutes - LATE_MINUTES) * MINUTE_MS, DAY_MS)
        minutes = await assertHolds(place.at, acknowledged, fromMs)
      }
    },
  )
}

/** Starts a writer and kills it after this number of reported minutes. Returns the first minute without acknowledgement. */
async function writeUntilKilled(at: DatabaseOptions['at'], first: number, enough: number): Promise<number> {
  const child = spawn(process.execPath, [writer, JSON.stringify(at), String(first)], {
    env: { NODE_NO_WARNINGS: '1', ...compiledSources },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let next = first
  for await (const line of createInterface({ input: child.stdout })) {
    next = Number(line) + 1
    if (next - first === enough) child.kill('SIGKILL')
  }
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  return next
}

/**
 * Checks that every acknowledged minute is stored once and completely, and every other minute completely or not at all. Returns the
 * number of minutes.
 */
async function assertHolds(at: DatabaseOptions['at'], acknowledged: number, fromMs: number): Promise<number> {
  const window = { ...EVER, fromMs }
  const bus = inProcessEventBus()
  const db = await openDatabase({ at, bus, log: silentLog })
  try {
    const stored = await loadStoredHistory(db)
    const problems: string[] = []
    await verifyHistory(db.kysely, stored, (problem) => problems.push(problem))
    assert.deepEqual(problems, [])
    const sealed = await db.kysely.selectFrom('history_blocks').select('id').limit(1).executeTakeFirst()
    assert.ok(sealed !== undefined, 'the writer seals while it writes')
    const clock = { now: () => START_MS + 10 * 365 * 1440 * MINUTE_MS }
    const history = historyStore({ db, clock, bus, log: silentLog })
    const found = await history.read({ kind: 'system', tier: '1m', window })
    const last = Math.max(...found.map(({ table }) => table.times.at(-1) ?? 0))
    const minutes = (last - START_MS) / MINUTE_MS + 1
    assert.ok(minutes === acknowledged || minutes === acknowledged + 1, `${acknowledged} minutes were acknowledged, ${minutes} are there`)
    for (let index = 0; index < SYSTEMS; index++) {
      const mine = { systems: [systemName(index)], window } as const
      for (const kind of ['system', 'containers'] as const) {
        const [minutely] = await history.read({ ...mine, kind, tier: '1m' })
        assert.deepEqual(minutely?.table.times, timesOf(index, minutes, fromMs))
        const [tens] = await history.read({ ...mine, kind, tier: '10m' })
        assert.deepEqual(tens?.table, minutely && rolledUp(minutely.table, bucketMs['10m']))
        const [hours] = await history.read({ ...mine, kind, tier: '2h' })
        assert.deepEqual(hours?.table, tens && rolledUp(tens.table, bucketMs['2h']))
      }
    }
    return minutes
  } finally {
    await db.close()
  }
}
