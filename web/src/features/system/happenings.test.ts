import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameOfSamples } from '../../chart/series-frame.ts'
import type { SystemEvent } from '../../api/system-events.ts'
import { readSystem, type System } from '../../api/system-record.ts'
import { happeningsIn } from './happenings.ts'

const MINUTE_MS = 60_000
const sample = (minute: number) => ({ at: minute * MINUTE_MS, values: { 'cpu.busyPercent': minute } })
const frame = (...minutes: readonly number[]) =>
  frameOfSamples(minutes.map(sample), { fromMs: 100 * MINUTE_MS, toMs: 160 * MINUTE_MS }, MINUTE_MS)

const known = (status: string, uptimeMinutes = 5_000): System => {
  const system = readSystem({ id: 'a', name: 'a', status })
  return { ...system, latest: { ...system.latest, sampledAtMs: 160 * MINUTE_MS, uptimeSeconds: uptimeMinutes * 60 } }
}
const told = (minutes: readonly number[], system: System, events?: readonly (readonly [number, SystemEvent['kind'], string?])[]) =>
  happeningsIn({
    system,
    frame: frame(...minutes),
    events: events?.map(([minute, kind, text = '']) => ({ at: minute * MINUTE_MS, kind, text })),
    intervalMs: MINUTE_MS,
    nowMs: 160 * MINUTE_MS,
  }).map(({ kind, fromMs, toMs, why }) => [
    kind,
    fromMs / MINUTE_MS,
    ...(toMs === undefined ? [] : [toMs / MINUTE_MS]),
    ...(why === undefined ? [] : [why]),
  ])

test('happeningsIn: nothing happened to a system that was heard of all the time', () =>
  assert.deepEqual(told([157, 158, 159], known('up')), []))

test('happeningsIn: a start of the machine within the window, by its uptime', () => {
  assert.deepEqual(told([157, 158, 159], known('up', 20)), [['restart', 140]])
  assert.deepEqual(told([157, 158, 159], known('up', 61)), [])
})

test('happeningsIn: gaps between points, and after the last one with the reason the status gives', () => {
  assert.deepEqual(told([120, 121, 130, 131, 159], known('up')), [
    ['silence', 121, 130],
    ['silence', 131, 159],
  ])
  assert.deepEqual(told([139, 140], known('paused')), [['paused', 140, 160]])
  assert.deepEqual(told([139, 140], known('down')), [['down', 140, 160]])
})

test('happeningsIn: times that the hub kept, with their reasons, instead of the gaps they left', () => {
  const away = [122, 'down', 'Nothing listens'] as const
  assert.deepEqual(told([120, 121, 130, 158, 159], known('up'), [away, [129, 'up']]), [
    ['down', 122, 129, 'Nothing listens'],
    ['silence', 130, 158],
  ])
  assert.deepEqual(
    told([120, 121, 140, 141, 159], known('up'), [
      [122, 'paused'],
      [139, 'resumed'],
    ]).slice(0, 1),
    [['paused', 122, 139]],
  )
  assert.deepEqual(told([120, 121], known('down'), [away]), [['down', 122, 160, 'Nothing listens']])
})

test('happeningsIn: a time that began before the window or ended in it counts, one that was over does not', () => {
  const points = Array.from({ length: 60 }, (_, index) => 100 + index)
  assert.deepEqual(
    told(points, known('up'), [
      [20, 'down'],
      [90, 'up'],
    ]),
    [],
  )
  assert.deepEqual(
    told(points, known('up'), [
      [20, 'down'],
      [101, 'up'],
    ]),
    [['down', 20, 101]],
  )
})

test('happeningsIn: of a gap at whose end the hub started nobody can know', () => {
  assert.deepEqual(
    told([120, 121, 130, 158, 159], known('up'), [
      [121, 'hub-stopped'],
      [129, 'hub-started'],
    ]),
    [
      ['hub', 121, 130],
      ['silence', 130, 158],
    ],
  )
})

test('happeningsIn: starts of the machine that the hub kept, and the one by its uptime once', () => {
  assert.deepEqual(
    told([157, 158, 159], known('up', 20), [
      [110, 'restarted'],
      [141, 'restarted'],
    ]),
    [
      ['restart', 110],
      ['restart', 141],
    ],
  )
  assert.deepEqual(told([157, 158, 159], known('up', 20), [[110, 'restarted']]), [
    ['restart', 110],
    ['restart', 140],
  ])
})

test('happeningsIn: ends of containers and kills for memory within the window', () => {
  const events = [
    { at: 90 * MINUTE_MS, kind: 'container-exited', text: '', container: 'early', exitCode: 1 },
    { at: 120 * MINUTE_MS, kind: 'container-exited', text: '', container: 'web', exitCode: 137 },
    { at: 130 * MINUTE_MS, kind: 'container-out-of-memory', text: '', container: 'db' },
    { at: 140 * MINUTE_MS, kind: 'container-exited', text: '' },
  ] as const
  const happened = happeningsIn({
    system: known('up'),
    frame: frame(157, 158, 159),
    events,
    intervalMs: MINUTE_MS,
    nowMs: 160 * MINUTE_MS,
  })
  assert.deepEqual(happened, [
    { kind: 'exit', fromMs: 120 * MINUTE_MS, container: { name: 'web', exitCode: 137 } },
    { kind: 'out-of-memory', fromMs: 130 * MINUTE_MS, container: { name: 'db', exitCode: undefined } },
  ])
})
