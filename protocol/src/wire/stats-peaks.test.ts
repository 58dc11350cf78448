import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson } from '../../test/hostile-names.ts'
import { valuesOf } from '../metrics/series.ts'
import { toStatsJson, type JsonObject } from './stats-json.ts'
import { statsPeakPoints } from './stats-peaks.ts'

test('statsPeakPoints reads the maximums that toStatsJson writes', () => {
  const maxima = {
    'cpu.busyPercent': 93.5,
    'memory.usedBytes': 6.5 * 1024 ** 3,
    'disk.readBytesPerSecond': 1_310_720,
    'disk.writtenBytesPerSecond': 2_621_441,
    'disk.readPercent': 1,
    'disk.weightedPercent': 6.25,
    'network.sentBytesPerSecond': 786_432,
    'network.receivedBytesPerSecond': 1_572_865,
    'filesystem.a.b.readBytesPerSecond': 7,
    'filesystem.a.b.writtenBytesPerSecond': 8,
    'filesystem.a.b.writeAwaitMs': 9.5,
  }
  const values = Object.fromEntries(Object.keys(maxima).map((key) => [key, 1]))
  assert.deepEqual(valuesOf(statsPeakPoints(toStatsJson(values, maxima))), maxima)
})

test('statsPeakPoints reads the MiB/s of older hubs where they are alone', () => {
  const old = { drm: 1.25, dwm: 2.5, nsm: 0.75, nrm: 1.5, efs: { data: { rm: 0.5, wm: 0.25 } } }
  assert.deepEqual(valuesOf(statsPeakPoints(old)), {
    'disk.readBytesPerSecond': 1_310_720,
    'disk.writtenBytesPerSecond': 2_621_440,
    'network.sentBytesPerSecond': 786_432,
    'network.receivedBytesPerSecond': 1_572_864,
    'filesystem.data.readBytesPerSecond': 524_288,
    'filesystem.data.writtenBytesPerSecond': 262_144,
  })
  assert.equal(valuesOf(statsPeakPoints({ ...old, diom: [7, 8] }))['disk.writtenBytesPerSecond'], 8)
})

test('statsPeakPoints returns finite numbers only, for any JSON', () => {
  const keys = fc.constantFrom('cpum', 'mm', 'drm', 'diom', 'diosm', 'bm', 'efs', '__proto__')
  fc.assert(
    fc.property(fc.dictionary(keys, anyJson), (stats) => {
      const { things, fields, values } = statsPeakPoints(stats as JsonObject)
      assert.ok(values.every(Number.isFinite) && things.length === values.length && fields.length === values.length)
    }),
  )
})
