import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import type { ContainerEvent } from '@vedette/protocol/metrics/sample'
import { createLoop } from '../../runtime/deadline.ts'
import { recordedStates } from '../../fixtures/recorded-machine.ts'
import type { HttpEvent } from '../../runtime/runtime.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import { engineClient } from './client.ts'
import { containersCollector } from './containers.ts'
import { engineEvents, joinedEvents } from './engine-events.ts'

const { exits } = recordedStates()
const eventsOf = (name: keyof typeof exits): readonly ContainerEvent[] => joinedEvents(engineEvents(exits[name].events))
const withoutTime = (event: ContainerEvent) => Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'atMs'))

const recorded: readonly (readonly [keyof typeof exits, readonly object[]])[] = [
  ['clean', [{ container: 'clean', exitCode: 0, outOfMemory: false }]],
  ['failing', [{ container: 'failing', exitCode: 3, outOfMemory: false }]],
  // Eight kill events and one die event.
  ['hungry', [{ container: 'hungry', exitCode: 137, outOfMemory: true }]],
  [
    'retried',
    [
      { container: 'retried', exitCode: 7, outOfMemory: false },
      { container: 'retried', exitCode: 7, outOfMemory: false },
    ],
  ],
  ['killed', [{ container: 'killed', exitCode: 137, outOfMemory: false }]],
  ['removed', [{ container: 'removed', exitCode: 9, outOfMemory: false }]],
  ['child', [{ container: 'child', outOfMemory: true }]],
]

for (const [name, expected] of recorded) {
  test(`joinedEvents reads the recorded events of the container "${name}"`, () => {
    assert.deepEqual(eventsOf(name).map(withoutTime), expected)
  })
}

test('joinedEvents uses the time of the engine', () => {
  assert.deepEqual(
    eventsOf('failing').map(({ atMs }) => atMs),
    [1_795_643_072_840],
  )
})

const line = (action: string, timeNano: number, attributes: object, id = 'a'.repeat(64)): string =>
  JSON.stringify({ Action: action, Actor: { ID: id, Attributes: { name: 'web', ...attributes } }, timeNano })

const SECOND_NS = 1_000_000_000

const joining: readonly (readonly [string, readonly string[], readonly object[]])[] = [
  ['hundreds of kills', Array.from({ length: 300 }, (_, at) => line('oom', SECOND_NS + at, {})), [{ atMs: 1000, outOfMemory: true }]],
  [
    'a kill long before an end by SIGKILL',
    [line('oom', SECOND_NS, {}), line('die', 60 * SECOND_NS, { exitCode: '137' })],
    [
      { atMs: 1000, outOfMemory: true },
      { atMs: 60_000, exitCode: 137, outOfMemory: false },
    ],
  ],
  [
    'a kill followed by an exit with another code',
    [line('oom', SECOND_NS, {}), line('die', 2 * SECOND_NS, { exitCode: '1' })],
    [
      { atMs: 1000, outOfMemory: true },
      { atMs: 2000, exitCode: 1, outOfMemory: false },
    ],
  ],
  [
    'events in reverse order',
    [line('die', 2 * SECOND_NS, { exitCode: '137' }), line('oom', SECOND_NS, {})],
    [{ atMs: 2000, exitCode: 137, outOfMemory: true }],
  ],
  ["Podman's names", [line('died', SECOND_NS, { containerExitCode: '5' })], [{ atMs: 1000, exitCode: 5, outOfMemory: false }]],
  ['a negative code', [line('die', SECOND_NS, { exitCode: '-1' })], [{ atMs: 1000, outOfMemory: false }]],
  ['an end without an exit code', [line('die', SECOND_NS, {})], [{ atMs: 1000, outOfMemory: false }]],
  [
    'a cut line',
    [line('die', SECOND_NS, { exitCode: '1' }), line('die', SECOND_NS, {}).slice(0, 50)],
    [{ atMs: 1000, exitCode: 1, outOfMemory: false }],
  ],
  [
    'lines without an event',
    [
      'null',
      '[]',
      '7',
      '{}',
      line('start', SECOND_NS, {}),
      line('die', -1, {}),
      line('die', SECOND_NS, { name: 5 }),
      line('die', SECOND_NS, {}, '../x'),
    ],
    [],
  ],
]

for (const [name, lines, expected] of joining) {
  test(`joinedEvents reads ${name}`, () => {
    assert.deepEqual(
      joinedEvents(engineEvents(lines.join('\n'))),
      expected.map((one) => ({ container: 'web', ...one })),
    )
  })
}

const idOf = (number: number): string => String(number).padStart(12, '0')
const listed = (number: number, status = 'Up 2 hours') => ({
  Id: idOf(number).padEnd(64, '0'),
  Names: [`/c${number}`],
  Image: 'i',
  Status: status,
})

type Engine = { list: readonly object[]; events: (path: string) => HttpEvent | undefined; inspect: (id: string) => object | undefined }

/** A machine whose engine responds as the test says. `paths` holds the requests for events and for inspections of ended containers. */
function machine(exclude: readonly string[] = []) {
  const engine: Engine = { list: [listed(1), listed(2)], events: () => ok(''), inspect: () => undefined }
  const paths: string[] = []
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: ({ path }) => {
      if (path.startsWith('/events?since')) {
        paths.push(path)
        return engine.events(path)
      }
      if (path === '/version') return ok('{"Version":"27.0.1"}')
      if (path === '/containers/json') return ok(JSON.stringify(engine.list))
      const id = /^\/containers\/(\d{12})\/json$/.exec(path)?.[1]
      const state = id === undefined ? undefined : engine.inspect(id)
      return state === undefined
        ? { kind: 'answer', status: 404, headers: [], body: byteTools.utf8('{}') }
        : ok(JSON.stringify({ State: state }))
    },
  })
  const parts = {
    runtime: memory.runtime,
    loop: createLoop(memory.runtime),
    source: procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }),
  }
  const client = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
  const collector = containersCollector({ ...parts, engine: client }, { exclude, budgetMs: 4000 })
  return {
    engine,
    paths,
    wallMs: () => memory.runtime.clock().wallMs,
    wait: memory.advance,
    /** Events in the sample taken a minute later. Events of the engine appear one sample after that. */
    next: async (): Promise<readonly ContainerEvent[] | undefined> => {
      memory.advance(60_000)
      const sample = await collector.collect({ consumer: 60_000, atMs: memory.runtime.clock().monotonicMs })
      await setImmediate()
      return sample?.containerEvents
    },
  }
}

const ok = (text: string): HttpEvent => ({ kind: 'answer', status: 200, headers: [], body: byteTools.utf8(text) })
const ended = (number: number, atMs: number, code: number): string =>
  line('die', atMs * 1_000_000, { name: `c${number}`, exitCode: String(code) }, idOf(number).padEnd(64, '0'))

test('containersCollector requests events once after a container ended, and sends them for ten minutes', async () => {
  const host = machine()
  for (const _minute of [1, 2, 3]) assert.equal(await host.next(), undefined)
  assert.deepEqual(host.paths, [], 'nothing changed')
  const atMs = host.wallMs() + 30_000
  host.engine.list = [listed(2)]
  host.engine.events = () => ok(`${ended(1, atMs, 3)}\n`)
  assert.equal(await host.next(), undefined)
  const event = { atMs, container: 'c1', exitCode: 3, outOfMemory: false }
  host.engine.events = () => ok('')
  for (const _minute of [1, 2, 3, 4, 5, 6, 7, 8, 9]) assert.deepEqual(await host.next(), [event])
  assert.equal(await host.next(), undefined)
  assert.equal(host.paths.length, 2, 'the second ten minutes later')
})

test('containersCollector requests each time range of events once', async () => {
  const host = machine()
  await host.next()
  for (const list of [[listed(2)], [], [listed(3)], []]) {
    host.engine.list = list
    await host.next()
  }
  const ranges = host.paths.map((path) => /since=([\d.]+)&until=([\d.]+)/.exec(path)?.slice(1).map(String) ?? [])
  assert.equal(ranges.length, 3)
  for (const [at, [since]] of ranges.entries()) {
    const until = ranges[at - 1]?.[1]
    // The next time range starts one nanosecond later.
    if (until !== undefined) assert.equal(since, until.replace(/0$/, '1'))
  }
})

test('containersCollector requests the events of a container that started again', async () => {
  const host = machine()
  await host.next()
  host.engine.list = [listed(1, 'Up 5 seconds'), listed(2)]
  host.engine.events = () => ok(ended(1, host.wallMs() - 6000, 137))
  await host.next()
  host.engine.list = [listed(1, 'Up a minute'), listed(2)]
  assert.deepEqual((await host.next())?.map(withoutTime), [{ container: 'c1', exitCode: 137, outOfMemory: false }])
})

const forgetting: readonly (readonly [string, Engine['events']])[] = [
  ['forgot the event', () => ok('')],
  ['refuses events', () => ({ kind: 'answer', status: 403, headers: [], body: byteTools.utf8('{}') })],
  ['fails', () => ({ kind: 'failed', reason: 'socket hang up' })],
  ['sends no JSON', () => ok('<html>')],
]

for (const [name, events] of forgetting) {
  test(`containersCollector inspects an ended container when the engine ${name}`, async () => {
    const host = machine()
    await host.next()
    const atMs = host.wallMs() + 30_000
    host.engine.list = [listed(2)]
    host.engine.events = events
    host.engine.inspect = (id) => ({ ...exits.hungry.state, Id: id, FinishedAt: new Date(atMs).toISOString() })
    await host.next()
    await setImmediate()
    assert.deepEqual(await host.next(), [{ atMs, container: 'c1', exitCode: 137, outOfMemory: true }])
  })
}

test('containersCollector reports no end from an earlier run, and none of a container that runs or is removed', async () => {
  const host = machine()
  await host.next()
  for (const inspect of [
    () => ({ Running: false, ExitCode: 1, FinishedAt: '2020-01-01T00:00:00Z' }),
    () => ({ Running: false, ExitCode: 1, FinishedAt: '0001-01-01T00:00:00Z' }),
    () => ({ Running: true, ExitCode: 0, FinishedAt: new Date(host.wallMs()).toISOString() }),
    () => undefined,
  ]) {
    host.engine.inspect = inspect
    host.engine.list = [listed(2)]
    await host.next()
    host.engine.list = [listed(1), listed(2)]
    assert.equal(await host.next(), undefined)
  }
})

test('containersCollector reports no events of excluded containers, and none of short jobs that exited with code 0', async () => {
  const host = machine(['c2'])
  await host.next()
  const atMs = host.wallMs() + 1000
  host.engine.list = []
  host.engine.events = () => ok([ended(1, atMs, 0), ended(2, atMs, 1), ended(3, atMs, 0), ended(4, atMs, 1)].join('\n'))
  await host.next()
  assert.deepEqual(
    (await host.next())?.map(({ container, exitCode }) => [container, exitCode]),
    [
      ['c1', 0],
      ['c4', 1],
    ],
  )
})

test('containersCollector does not wait for an engine that does not respond to the events request', async () => {
  const host = machine()
  await host.next()
  host.engine.events = () => undefined
  for (const list of [[listed(2)], [listed(1), listed(2)], [listed(2)]]) {
    host.engine.list = list
    assert.equal(await host.next(), undefined)
  }
})

test('bug class 23: containersCollector keeps at most fifty events, the newest', async () => {
  const host = machine()
  await host.next()
  host.engine.list = [listed(2)]
  host.engine.events = () => ok(Array.from({ length: 256 }, (_, at) => ended(1, host.wallMs() - 256 + at, at)).join('\n'))
  await host.next()
  const events = (await host.next()) ?? []
  assert.deepEqual([events.length, events.at(-1)?.exitCode], [50, 255])
})
