import assert from 'node:assert/strict'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { watchAlerts } from '../../src/alerts/rules/alert-watch.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { samplePipeline, type Storing } from '../../src/samples/sample-pipeline.ts'
import { silentLog } from '../databases.ts'
import { machineSample } from '../scripted-agent.ts'
import { smallDisk, takeEverything } from '../small-disk.ts'
import { storedSamples } from '../stored-samples.ts'
import { engineOn } from '../test-engine.ts'

/** The WAL can grow into its allocated space. Beyond it, every sample must meet the full disk. */
const MOST_SAMPLES = 50_000

/** Whether the long test suite runs. Only that suite includes this test. */
const isLong = process.env['VEDETTE_LONG'] === '1'

test(
  'a full disk pauses storing, and storing resumes when space is free',
  { timeout: 300_000, skip: !isLong && 'only in long runs' },
  async (context) => {
    const disk = smallDisk('12m')
    if (typeof disk === 'string') return context.skip(disk)
    using stack = new DisposableStack()
    stack.use(disk)
    const filler = join(disk.path, 'filler')
    const bus = inProcessEventBus()
    const database = await openDatabase({ at: { directory: disk.path }, bus, log: silentLog })
    try {
      const clock = systemClock
      const engine = engineOn(database)
      const records = engine.store
      const history = historyStore({ db: database, clock, bus, log: silentLog })
      const alerts = await watchAlerts({ engine, history, bus, log: silentLog })
      await using samples = samplePipeline({ db: database, records, history, clock, bus, alerts, log: silentLog, tryEveryMs: 50 })
      const { storing } = samples
      const changes: Storing[] = []
      const waiting = new Set<() => void>()
      storing.onChange((change) => {
        changes.push(change)
        for (const check of waiting) check()
      })
      const until = (state: Storing['state']): Promise<void> =>
        new Promise((resolve) => {
          const check = (): void => {
            if (storing.now().state === state) resolve()
          }
          waiting.add(check)
          check()
        })
      const { id } = await database.write((unit) => records.insert(unit, 'systems', { name: 'machine', status: 'up', users: [], info: {} }))
      let atMs = clock.now() - 80_000_000
      let stored = 0
      const store = async (): Promise<boolean> => {
        atMs += 1000
        const outcome = samples.store({
          system: id,
          sample: { ...machineSample, cpu: { busyPercent: stored % 100 } },
          receivedAtMs: atMs,
        })
        const settled = samples.settled()
        const isStored = (await outcome).kind === 'stored'
        await settled
        if (isStored) stored += 1
        return isStored
      }
      for (let round = 1; round <= 3; round++) {
        for (let sample = 0; sample < 20; sample++) await store()
        let isStored = true
        while (isStored && stored < MOST_SAMPLES) {
          takeEverything(filler)
          isStored = await store()
        }
        assert.equal(isStored, false)
        const state = storing.now()
        assert.equal(state.state === 'paused' && state.reason, 'full', `round ${round}`)
        assert.equal(statfsSync(disk.path).bavail, 0)
        // Stored samples can be read while storing is paused.
        assert.equal((await storedSamples(history, 'system', id)).length, stored)
        rmSync(filler)
        await until('storing')
        await store()
      }
      assert.ok(changes.length >= 6)
      assert.deepEqual(
        (await storedSamples(history, 'system', id)).map(({ values }) => values['cpu.busyPercent']),
        Array.from({ length: stored }, (_, index) => index % 100),
      )
    } finally {
      await database.close()
    }
  },
)
