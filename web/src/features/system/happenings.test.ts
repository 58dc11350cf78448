import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frameOfSamples } from '../../chart/series-frame.ts'
import type { SystemEvent } from '../../api/system-events.ts'
import { readSystem } from '../../api/system-record.ts'
import { happeningsIn, machineStart } from './happenings.ts'

const MINUTE_MS = 60_000
const sample = (minute: number) => ({ at: minute * MINUTE_MS, values: { 'cpu.busyPercent': minute } })
const frame = (...minutes: readonly number[]) =>
  frameOfSamples(minutes.map(sample), { fromMs: 100 * MINUTE_MS, toMs: 160 * MINUTE_MS }, MINUTE_MS)

/** A status, and the start time of the machine. */
const known = (status: string, uptimeMinutes = 5_000) => ({
  status: readSystem({ id: 'a', name: 'a', status }).status,
  startMs: (160 - uptimeMinutes) * MINUTE_MS,
})
const told = (
  minutes: readonly number[],
  system: ReturnType<typeof known>,
  events?: readonly (readonly [number, SystemEvent['kind'], string?])[],
) =>
  happeningsIn({
    ...system,
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

test('happeningsIn is empty for a system that reported the whole time', () => assert.deepEqual(told([157, 158, 159], known('up')), []))

test('happeningsIn includes a start of the machine within the window, computed from its uptime', () => {
  assert.deepEqual(told([157, 158, 159], known('up', 20)), [['restart', 140]])
  assert.deepEqual(told([157, 158, 159], known('up', 61)), [])
})

test('happeningsIn includes gaps between points, and the gap after the last point with the reason of the status', () => {
  assert.deepEqual(told([120, 121, 130, 131, 159], known('up')), [
    ['silence', 121, 130],
    ['silence', 131, 159],
  ])
  assert.deepEqual(told([139, 140], known('paused')), [['paused', 140, 160]])
  assert.deepEqual(told([139, 140], known('down')), [['down', 140, 160]])
})

test('happeningsIn prefers outages stored by the hub, with their reasons, to the gaps in the points', () => {
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

test('happeningsIn includes an outage that starts before or ends in the window, and none that ended before it', () => {
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

test('happeningsIn reports a gap that ends with a start of the hub as a stop of the hub', () => {
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

test('happeningsIn includes stored starts of the machine, and the start computed from its uptime once', () => {
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

test('happeningsIn includes container exits and out-of-memory kills within the window', () => {
  const events = [
    { at: 90 * MINUTE_MS, kind: 'container-exited', text: '', container: 'early', exitCode: 1 },
    { at: 120 * MINUTE_MS, kind: 'container-exited', text: '', container: 'web', exitCode: 137 },
    { at: 130 * MINUTE_MS, kind: 'container-out-of-memory', text: '', container: 'db' },
    { at: 140 * MINUTE_MS, kind: 'container-exited', text: '' },
  ] as const
  const happened = happeningsIn({
    ...known('up'),
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

for (const [what, knownMs, sampledAtMs, uptimeSeconds, expected] of [
  ['is computed from the first sample', undefined, 200_000, 150, 50_000],
  ['does not change when the uptime is rounded differently', 50_000, 261_500, 210, 50_000],
  ['does not change when a sample has no uptime', 50_000, 261_500, undefined, 50_000],
  ['changes after a restart', 50_000, 400_000, 30, 370_000],
  ['is unknown before the first sample', undefined, undefined, undefined, undefined],
] as const) {
  test(`machineStart: ${what}`, () => {
    const { latest } = readSystem({ id: 'a', name: 'a', status: 'up' })
    assert.equal(machineStart({ ...latest, sampledAtMs, uptimeSeconds }, knownMs), expected)
  })
}

test('happeningsIn omits a computed start at the beginning of the window, because the stored start may be before it', () => {
  assert.deepEqual(told([157, 158, 159], known('up', 59)), [])
  assert.deepEqual(told([157, 158, 159], known('up', 59), [[102, 'restarted']]), [['restart', 102]])
  assert.deepEqual(told([157, 158, 159], known('up', 58)), [['restart', 102]])
})

/** As the hub returns them: events in the window, and the last status before it. */
const readEvents = (events: readonly SystemEvent[], fromMs: number): readonly SystemEvent[] => [
  ...events.filter(({ at, kind }) => at < fromMs && (kind === 'up' || kind === 'down')).slice(-1),
  ...events.filter(({ at }) => at >= fromMs),
]

/** The state of the page. Its parts are refreshed at different times while the window moves. */
type Page = {
  readonly startMs: number | undefined
  readonly fromMs: number
  readonly events: readonly SystemEvent[]
  readonly nowMs: number
}

test('happeningsIn removes an event at the beginning of the moving window once, and does not show it again', () => {
  const HOUR_MS = 60 * MINUTE_MS
  const startedMs = 10 * MINUTE_MS
  const { latest } = readSystem({ id: 'a', name: 'a', status: 'up' })
  const steps = fc.array(
    fc.record({ part: fc.constantFrom('sample', 'frame', 'events', 'now'), aheadMs: fc.nat(40_000), offMs: fc.nat(59_000) }),
    {
      minLength: 20,
      maxLength: 120,
    },
  )
  const stored = fc.array(
    fc.record({
      at: fc.integer({ min: startedMs - 30_000, max: startedMs + 30_000 }),
      kind: fc.constantFrom('restarted', 'down', 'up', 'container-exited'),
      text: fc.constant(''),
      container: fc.constant('web'),
    }),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(steps, stored, (all, storedEvents) => {
      // The hub stores one restart. The other events keep their kinds.
      const events = storedEvents
        .filter(({ kind }, index) => kind !== 'restarted' || storedEvents.findIndex((one) => one.kind === kind) === index)
        .toSorted((a, b) => a.at - b.at)
      let atMs = HOUR_MS
      let page: Page = {
        startMs: machineStart({ ...latest, sampledAtMs: atMs, uptimeSeconds: (atMs - startedMs) / 1000 }, undefined),
        fromMs: 0,
        events,
        nowMs: atMs,
      }
      const gone = new Set<string>()
      let before = new Set<string>()
      for (const { part, aheadMs, offMs } of all) {
        atMs += aheadMs
        if (part === 'sample') {
          page = {
            ...page,
            startMs: machineStart({ ...latest, sampledAtMs: atMs, uptimeSeconds: (atMs - startedMs - offMs) / 1000 }, page.startMs),
          }
        }
        if (part === 'frame') page = { ...page, fromMs: atMs - HOUR_MS }
        if (part === 'events') page = { ...page, events: readEvents(events, page.fromMs) }
        if (part === 'now') page = { ...page, nowMs: atMs }
        const shown = happeningsIn({
          status: 'up',
          startMs: page.startMs,
          frame: { fromMs: page.fromMs, toMs: page.fromMs + HOUR_MS, times: [], series: new Map() },
          events: page.events,
          intervalMs: MINUTE_MS,
          nowMs: page.nowMs,
        })
        const kinds = new Set<string>(shown.map(({ kind }) => kind))
        for (const kind of before) if (!kinds.has(kind)) gone.add(kind)
        for (const kind of kinds) assert.ok(!gone.has(kind), `${kind} came back`)
        before = kinds
      }
    }),
  )
})
