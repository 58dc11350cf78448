import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinBounds } from './sample-bounds.ts'

test('withinBounds limits percentages of a whole to 100', () => {
  assert.deepEqual(
    withinBounds({
      cpu: { busyPercent: 250, coreBusyPercent: [3, 300] },
      memory: { totalBytes: 1, usedBytes: 2, usedPercent: 100.01 },
      batteries: { BAT0: 130 },
      gpus: { '0': { name: 'gpu', usagePercent: 900, enginePercent: { Render: 101 }, powerWatts: 300 } },
    }),
    {
      cpu: { busyPercent: 100, coreBusyPercent: [3, 100] },
      memory: { totalBytes: 1, usedBytes: 2, usedPercent: 100 },
      batteries: { BAT0: 100 },
      gpus: { '0': { name: 'gpu', usagePercent: 100, enginePercent: { Render: 100 }, powerWatts: 300 } },
    },
  )
})

test('withinBounds keeps percentages and loads that may exceed 100', () => {
  const activity = { readPercent: 250, writePercent: 0, utilisationPercent: 100, readAwaitMs: 500, writeAwaitMs: 0, weightedPercent: 1200 }
  const sample = { rootDisk: { activity }, load: { oneMinute: 120, fiveMinutes: 101, fifteenMinutes: 3 }, temperatures: { percent: 120 } }
  assert.deepEqual(withinBounds(sample), sample)
})

test('withinBounds cuts long texts and lists, and removes characters that a database refuses', () => {
  const { containers } = withinBounds({ containers: [{ name: 'x'.repeat(10_000), image: 'a\0b', status: 'half \ud83d' }] })
  assert.equal(containers?.[0]?.name.length, 500)
  assert.deepEqual([containers?.[0]?.image, containers?.[0]?.status], ['ab', 'half \ufffd'])
  assert.equal(withinBounds({ containers: Array.from({ length: 6000 }, (_, at) => ({ name: String(at) })) }).containers?.length, 5000)
})

test('withinBounds cleans the names of sensors, too', () => {
  assert.deepEqual(withinBounds({ temperatures: { 'a\0b': 40 } }), { temperatures: { ab: 40 } })
})
