import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { DatabaseOptions } from '../../src/platform/db/database.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog } from '../databases.ts'
import { killRounds, killTimeoutMs } from '../kill-rounds.ts'
import { engineOn } from '../test-engine.ts'
import { MINUTE_MS, START_MS, systemId, SYSTEMS, timesFired } from '../written-alerts.ts'

const ROUNDS = killRounds(3)
const writer = join(import.meta.dirname, '..', 'alert-writer.ts')

for (const kind of databases) {
  test(
    `${kind.name}: alerts of a process killed during transitions are notified once each (${ROUNDS} rounds)`,
    { timeout: killTimeoutMs(ROUNDS) },
    async () => {
      await using place = await kind.place()
      await begin(place.at)
      let minutes: readonly number[] = Array.from({ length: SYSTEMS }, () => 0)
      for (let round = 0; round < ROUNDS; round++) {
        const acknowledged = await writeUntilKilled(place.at, minutes, 60 + ((round * 37) % 90))
        minutes = await assertHolds(place.at, acknowledged)
      }
    },
  )
}

async function begin(at: DatabaseOptions['at']): Promise<void> {
  const db = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
  const { store } = engineOn(db)
  await db.write(async (unit) => {
    const owner = await store.insert(unit, 'users', {
      email: 'a@example.com',
      username: 'owner',
      role: 'user',
      verified: true,
      password: 'none',
    })
    for (let index = 0; index < SYSTEMS; index++) {
      const id = systemId(index)
      await store.insert(unit, 'systems', { id, name: `machine ${index}`, host: 'machine', status: 'up', users: [owner.id], info: {} })
      await store.insert(unit, 'alerts', { user: owner.id, system: id, name: 'CPU', value: 80, min: 1 })
    }
  })
  await db.close()
}

/** Starts a writer and kills it after this number of reported minutes. Returns each system's first minute without acknowledgement. */
async function writeUntilKilled(at: DatabaseOptions['at'], first: readonly number[], enough: number): Promise<readonly number[]> {
  const child = spawn(process.execPath, [writer, JSON.stringify(at), JSON.stringify(first)], {
    env: { NODE_NO_WARNINGS: '1', ...compiledSources },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const next = [...first]
  let said = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [index = 0, minute = 0] = line.split(' ').map(Number)
    next[index] = minute + 1
    said += 1
    if (said === enough) child.kill('SIGKILL')
  }
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  return next
}

/** Checks the invariants of alerts, and that the stored minutes caused exactly their incidents. Returns each system's next minute. */
async function assertHolds(at: DatabaseOptions['at'], acknowledged: readonly number[]): Promise<readonly number[]> {
  const db = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
  try {
    const engine = engineOn(db)
    await assertAlertsAgree(engine)
    const next: number[] = []
    for (let index = 0; index < SYSTEMS; index++) {
      const system = await engine.store.load('systems', systemId(index))
      assert.ok(system !== undefined)
      const info = system['info'] as { readonly at: number } // as the sample store wrote it
      const last = (info.at - START_MS) / MINUTE_MS
      const least = acknowledged[index] ?? 0
      assert.ok(last === least - 1 || last === least, `minutes before ${least} were acknowledged, ${last} is the last there is`)
      const incidents = await db.kysely.selectFrom('incidents').select('id').where('system', '=', systemId(index)).execute()
      assert.equal(incidents.length, timesFired(index, last))
      next.push(last + 1)
    }
    return next
  } finally {
    await db.close()
  }
}
