import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson } from '../../../../protocol/test/hostile-names.ts'
import { databases } from '../../databases.ts'
import { addRow, foreignHubWith, importScene } from './import-scene.ts'

const UNTIL_MS = Date.UTC(2026, 10, 26, 14, 23, 30)
const DAY_MS = 24 * 3_600_000

const keys = fc.constantFrom(
  'cpu',
  'cpum',
  'm',
  'mu',
  'mp',
  'mm',
  'la',
  'b',
  'bm',
  'dio',
  'dios',
  't',
  'efs',
  'ni',
  'g',
  'cpus',
  'bat',
  '__proto__',
)
const statsText = fc.oneof(
  fc.dictionary(keys, anyJson).map((stats) => JSON.stringify(stats)),
  fc.array(fc.record({ n: fc.string(), c: anyJson, m: anyJson, b: anyJson }, { requiredKeys: [] })).map((list) => JSON.stringify(list)),
  fc
    .record({ cpu: fc.double({ min: 0, max: 100, noNaN: true }), la: fc.array(fc.nat(), { maxLength: 4 }) })
    .map((stats) => JSON.stringify(stats)),
  fc.string(),
)
const row = fc.record({
  table: fc.constantFrom('system_stats', 'container_stats'),
  type: fc.constantFrom('1m', '10m', '20m', '120m', '480m', 'other'),
  atMs: fc.oneof(
    fc.integer({ min: UNTIL_MS - 40 * DAY_MS, max: UNTIL_MS + DAY_MS }),
    fc.integer({ min: UNTIL_MS - DAY_MS / 8, max: UNTIL_MS }),
  ),
  stats: statsText,
})

test('any rows are taken or counted with a reason, the stored history is sound, and a second import changes nothing', async () => {
  const [kind] = databases
  await using one = await kind!.open()
  const scene = importScene(one, UNTIL_MS)
  let systems = 0
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      const system = `any${String(systems++).padStart(12, '0')}`
      using foreign = foreignHubWith({ systems: [], containers: 0, untilMs: UNTIL_MS })
      for (const each of rows) addRow(foreign, { ...each, system })
      const lines = await scene.take(foreign, [system])
      for (const { what, found, taken, present, leftOut } of lines)
        assert.equal(taken + present + leftOut.reduce((sum, { count }) => sum + count, 0), found, what)
      assert.equal(
        lines.reduce((sum, { found }) => sum + found, 0),
        rows.length,
      )
      assert.deepEqual(await scene.problems(), [])
      const stored = await scene.rows()
      await scene.take(foreign, [system])
      assert.deepEqual(await scene.rows(), stored)
    }),
    { numRuns: 30 },
  )
})
