import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loadStoredHistory } from '../../src/history/store/stored-history.ts'
import { emptyTable } from '../../src/history/model/series-table.ts'
import { verifyHistory } from '../../src/history/store/verify.ts'
import { databases } from '../databases.ts'
import { EVER, historyScene, HOUR_MS, MINUTE_MS } from '../history-scene.ts'
import { roundsOf } from '../longer-runs.ts'
import { assertBuckets, assertSamples, type RawSamples } from '../raw-samples.ts'

const START_MS = Date.UTC(2026, 0, 30, 22)
const RUNS = roundsOf({ short: 12, long: 40, soak: 200 })

/** Events in the life of a history, in any order. */
type HistoryAction =
  | { readonly kind: 'minutes'; readonly count: number }
  | { readonly kind: 'sleep'; readonly hours: number }
  | { readonly kind: 'late'; readonly agoMinutes: number; readonly value: number }
  | { readonly kind: 'maintain' | 'open again' | 'step back' }

const happening: fc.Arbitrary<HistoryAction> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('minutes' as const), count: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sleep' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      agoMinutes: fc.integer({ min: 0, max: 6000 }),
      value: fc.integer({ min: 0, max: 100 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('maintain' as const, 'open again' as const, 'step back' as const) }) },
)

for (const kind of databases) {
  test(`${kind.name}: any order of events leaves a history with the appended samples and their buckets`, { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 25 }), async (happenings) => {
        await using one = await kind.open()
        let it = historyScene(one, START_MS)
        const samples: RawSamples = new Map()
        let minute = 0
        const append = async (atMs: number, value: number, series: string) => {
          const values = { 'cpu.busyPercent': value, [series]: value * 1000 }
          await it.append('a', atMs, values)
          samples.set(atMs, new Map(Object.entries(values)))
        }
        for (const one of happenings)
          switch (one.kind) {
            case 'minutes':
              for (let count = 0; count < one.count; count += 7) {
                it.advanceTo(it.now() + 7 * MINUTE_MS)
                await append(it.now(), minute++ % 100, 'fan.__proto__.rpm')
              }
              break
            case 'sleep':
              it.advanceTo(it.now() + one.hours * HOUR_MS)
              break
            case 'late':
              await append(it.now() - one.agoMinutes * MINUTE_MS, one.value, 'temperature.constructor.celsius')
              break
            case 'maintain':
              await it.settle()
              break
            case 'open again':
              it = it.again()
              break
            case 'step back':
              it.advanceTo(it.now() - 20 * MINUTE_MS)
          }
        const read = async (tier: '1m' | '10m' | '2h') =>
          (await it.history.read({ kind: 'system', tier, window: EVER }))[0]?.table ?? emptyTable
        const check = async () => {
          // Samples from before the clock was set back are returned when the clock reaches their time.
          assertSamples(await read('1m'), new Map([...samples].filter(([atMs]) => atMs <= it.now())))
          assertBuckets(await read('10m'), samples, '10m', it.now())
          assertBuckets(await read('2h'), samples, '2h', it.now())
        }
        await check()
        await it.settle()
        await check()
        it.advanceTo(Math.max(it.now(), ...samples.keys()))
        await check()
        const problems: string[] = []
        await verifyHistory(one.database.kysely, await loadStoredHistory(one.database), (problem) => problems.push(problem))
        assert.deepEqual(problems, [])
      }),
      { numRuns: kind.name === 'sqlite' ? RUNS : Math.ceil(RUNS / 3) },
    )
  })
}

test('both databases store the same bytes', async () => {
  const rows: string[][] = []
  for (const kind of databases) {
    await using one = await kind.open()
    const it = historyScene(one, START_MS)
    for (let minute = 0; minute < 2000; minute += 10) {
      it.advanceTo(START_MS + minute * MINUTE_MS)
      for (const system of ['a', 'b'])
        await it.append(
          system,
          it.now(),
          { 'cpu.busyPercent': Math.sin(minute) * 50 + 50 },
          { [`c${minute % 3}.memoryBytes`]: minute * 1e6 },
        )
    }
    await it.settle()
    const blocks = await one.database.kysely
      .selectFrom('history_blocks')
      .selectAll()
      .orderBy('system')
      .orderBy('part')
      .orderBy('start')
      .execute()
    rows.push(blocks.map(({ system, part, start, data }) => `${system} ${part} ${start} ${Buffer.from(data).toString('hex')}`))
  }
  assert.deepEqual(rows[0], rows[1])
  assert.ok((rows[0]?.length ?? 0) > 20)
})
