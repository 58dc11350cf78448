import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { INFINITY, runningService, scriptedBus, type ScriptedUnit } from '../../../test/scripted-bus.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import { serviceDetails } from './service-details.ts'
import { cpuShare, servicesCollector } from './services.ts'
import { isUnitName, parseUnits, shownName, unitPattern } from './units.ts'

const SOCKET = '/run/dbus/system_bus_socket'

function machine(units: readonly ScriptedUnit[], patterns: readonly string[] = ['*.service']) {
  const bus = scriptedBus(units)
  let isThere = true
  const memory = memoryRuntime({
    files: { '/proc/stat': 'cpu  1 2\ncpu0 1\ncpu1 1\nintr 5\n' },
    bytes: byteTools,
    accept: (socket) => {
      const heard = bus.accept((data) => socket.tell({ kind: 'data', data }))
      socket.onWrite(heard)
      socket.tell({ kind: 'open' })
    },
  })
  const runtime = {
    ...memory.runtime,
    stat: (path: string) =>
      path === SOCKET && isThere
        ? ({ kind: 'socket', sizeBytes: 0, modifiedMs: 0, mode: 0, owner: 0 } as const)
        : memory.runtime.stat(path),
  }
  const parts = { runtime, loop: createLoop(runtime) }
  const source = procSource(runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const collector = servicesCollector({ ...parts, source }, patterns)
  const collect = (consumer = 60_000) => collector.collect({ consumer, atMs: runtime.clock().monotonicMs })
  return {
    ...memory,
    bus,
    collector,
    collect,
    details: (name: string) => serviceDetails(parts, name),
    gone: () => {
      isThere = false
    },
    /** Collects, and waits for the refresh that this starts. */
    refreshed: async () => {
      const before = bus.asked.length
      await collect()
      do await setImmediate()
      while (bus.asked.length === before)
      for (let turn = 0; turn < 50; turn++) await setImmediate()
    },
  }
}

test('servicesCollector sends counts with every minute sample, and the list with the first two after a refresh', async () => {
  const failed: ScriptedUnit = { ...runningService('b.service', 0), active: 'failed', sub: 'failed' }
  const one = machine([runningService('a.service', 5_000_000_000, 7_000_000), failed])
  assert.equal(await one.collect(), undefined)
  await one.refreshed()
  assert.deepEqual(await one.collect(1000), {})
  const withList = {
    serviceCounts: { total: 2, failed: 1 },
    services: [
      { name: 'a', state: 'active', subState: 'running', memoryBytes: 7_000_000, memoryPeakBytes: 7_000_000 },
      { name: 'b', state: 'failed', subState: 'failed' },
    ],
  }
  assert.deepEqual(await one.collect(), withList)
  // The list is sent twice because the previous response may have been lost.
  assert.deepEqual(await one.collect(), withList)
  assert.deepEqual(await one.collect(), { serviceCounts: { total: 2, failed: 1 } })
  assert.equal(one.collector.report?.().found, '2 units, 1 failed')
})

test('servicesCollector refreshes after ten minutes, then reports CPU shares, and drops removed units', async () => {
  const one = machine([runningService('a.service', 0, 9_000_000), runningService('b.service', 0)])
  await one.refreshed()
  await one.collect()
  const asked = one.bus.asked.length
  one.advance(9 * 60_000)
  await one.collect()
  assert.equal(one.bus.asked.length, asked)
  one.advance(60_000)
  // A tenth of two processors during ten minutes.
  one.bus.units = [runningService('a.service', 120_000_000_000, 4_000_000)]
  await one.refreshed()
  const families = await one.collect()
  assert.deepEqual(families?.serviceCounts, { total: 1, failed: 0 })
  assert.deepEqual(families?.services, [
    {
      name: 'a',
      state: 'active',
      subState: 'running',
      cpuPercent: 10,
      cpuPeakPercent: 10,
      memoryBytes: 4_000_000,
      memoryPeakBytes: 9_000_000,
    },
  ])
  one.advance(600_000)
  one.bus.units = [runningService('a.service', 5)]
  await one.refreshed()
  const [again] = (await one.collect())?.services ?? []
  assert.deepEqual([again?.cpuPercent, again?.cpuPeakPercent], [undefined, 10])
})

test('servicesCollector omits units that never ran, keeps units that failed to start, and reads no counters of inactive units', async () => {
  const never = { ActiveEnterTimestamp: { signature: 't', value: 0 } }
  const one = machine([
    { name: 'never.service', active: 'inactive', sub: 'dead', unit: never, service: {} },
    { name: 'broken.service', active: 'failed', sub: 'failed', unit: never, service: {} },
    { name: 'once.service', active: 'inactive', sub: 'dead', unit: { ActiveEnterTimestamp: { signature: 't', value: 5 } }, service: {} },
  ])
  await one.refreshed()
  assert.deepEqual(
    (await one.collect())?.services?.map(({ name }) => name),
    ['broken', 'once'],
  )
  assert.ok(!one.bus.asked.some((asked) => asked.includes('CPUUsageNSec')))
})

test('servicesCollector omits values that systemd does not count', async () => {
  const one = machine([runningService('a.service', INFINITY, INFINITY)])
  await one.refreshed()
  assert.deepEqual((await one.collect())?.services, [{ name: 'a', state: 'active', subState: 'running' }])
})

test('servicesCollector requests the configured patterns, and applies them itself if systemd cannot filter', async () => {
  const timer: ScriptedUnit = { name: 'backup.timer', active: 'active', sub: 'waiting', unit: {} }
  const one = machine([runningService('ssh.service', 1), runningService('cron.service', 1), timer], ['ssh*.service', '*.timer'])
  one.bus.intervene = ({ member }) => (member === 'ListUnitsByPatterns' ? { error: 'org.freedesktop.DBus.Error.UnknownMethod' } : undefined)
  await one.refreshed()
  assert.deepEqual(
    (await one.collect())?.services?.map(({ name, subState }) => [name, subState]),
    [
      ['ssh', 'running'],
      ['backup.timer', 'other'],
    ],
  )
})

test('bug class 10: servicesCollector lists units without numbers if systemd does not send them in time', async () => {
  const one = machine([runningService('a.service', 1), runningService('b.service', 1)])
  one.bus.intervene = ({ path, member }) => (member === 'Get' && path?.endsWith('a_2eservice') === true ? 'silent' : undefined)
  await one.refreshed()
  one.advance(30_000)
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  assert.deepEqual(
    (await one.collect())?.services?.map(({ name, memoryBytes }) => [name, memoryBytes]),
    [
      ['a', undefined],
      ['b', 1_000_000],
    ],
  )
})

test('servicesCollector is absent without a bus or systemd, and explains a refused connection', async () => {
  const none = machine([])
  none.gone()
  assert.equal(await none.collect(), undefined)
  assert.deepEqual(none.collector.report?.().skipped, [{ what: 'services', why: 'there is no message bus of the system' }])
  const other = machine([])
  other.bus.intervene = ({ member }) => (member === 'Hello' ? undefined : { error: 'org.freedesktop.DBus.Error.ServiceUnknown' })
  await other.refreshed()
  assert.equal(await other.collect(), undefined)
  await assert.rejects(other.details('ssh'), { message: 'unsupported operation' })
  const refused = machine([])
  refused.bus.handshake = () => 'REJECTED EXTERNAL\r\n'
  await refused.collect()
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  assert.throws(() => refused.collect(), /refused this user: REJECTED EXTERNAL/)
  assert.match(refused.collector.report?.().remedy ?? '', /system_bus_socket/)
})

test('serviceDetails returns all unit properties and eleven service properties, with null for an infinite limit', async () => {
  const one = machine([runningService('ssh.service', 5)])
  for (const name of ['ssh', 'ssh.service']) {
    const details = await one.details(name)
    assert.deepEqual(Object.fromEntries(details), {
      Id: 'ssh.service',
      ActiveEnterTimestamp: 1_700_000_000_000_000,
      JobTimeoutUSec: INFINITY,
      InvocationID: Uint8Array.of(1, 2, 255),
      Documentation: ['man:sshd(8)'],
      Conditions: [['ConditionPathExists', false, true, '/x', 1]],
      CanStart: true,
      MainPID: 4321,
      CPUUsageNSec: 5,
      MemoryCurrent: 1_000_000,
      MemoryPeak: null,
      TasksMax: null,
      NRestarts: 2,
      Result: 'success',
    })
  }
})

test('serviceDetails finds a unit by its name in the list', async () => {
  const one = machine([runningService('systemd-cryptsetup@luks\\x2dabc.service', 5)])
  assert.equal((await one.details('systemd-cryptsetup@luks-abc')).get('Id'), 'systemd-cryptsetup@luks\\x2dabc.service')
  await assert.rejects(one.details('nothing'), { message: 'Unit nothing.service is not loaded' })
})

for (const name of ['', 'a b', '../x', 'a\nb', 'a\u0000', 'x'.repeat(300), 'a/b.service']) {
  test(`bug class 30: serviceDetails refuses ${JSON.stringify(name.slice(0, 20))} before any request`, async () => {
    const one = machine([runningService('ssh.service', 5)])
    await assert.rejects(one.details(name), { message: 'invalid service name' })
    assert.deepEqual(one.bus.asked, [])
  })
}

test('serviceDetails without systemd fails with the error text that hubs recognise', async () => {
  const one = machine([])
  one.gone()
  await assert.rejects(one.details('ssh'), { message: 'unsupported operation' })
})

test('parseUnits reads only usable entries', () => {
  const entry = ['a.service', 'A', 'loaded', 'activating', 'start', '', '/org/a', 0, '', '/']
  const odd = [
    null,
    5,
    [],
    entry,
    entry.with(0, 'a b.service'),
    entry.with(6, '../x'),
    entry.with(2, 'not-found'),
    entry.with(3, 'new-word'),
  ]
  assert.deepEqual(parseUnits(odd), [
    { name: 'a.service', state: 'activating', subState: 'other', objectPath: '/org/a' },
    { name: 'a.service', state: 'inactive', subState: 'other', objectPath: '/org/a' },
  ])
  assert.deepEqual(parseUnits('x'), [])
})

for (const [unit, name] of [
  ['ssh.service', 'ssh'],
  ['backup.timer', 'backup.timer'],
  ['a\\x2db.service', 'a-b'],
  ['caf\\xc3\\xa9.service', 'café'],
  ['bad\\xff.service', 'bad'],
  ['esc\\x1b\\x5b31m.service', 'esc'],
] as const) {
  test(`shownName of ${unit} is ${name}`, () => assert.equal(shownName(unit, byteTools.fromUtf8), name))
}

test('unitPattern defaults to services when the type is missing', () => {
  assert.deepEqual(['docker*', 'ssh.service', '*.timer', 'logrotate.timer'].map(unitPattern), [
    'docker*.service',
    'ssh.service',
    '*.timer',
    'logrotate.timer',
  ])
  assert.deepEqual([isUnitName('a@b\\x2d.service'), isUnitName('a b'), isUnitName('')], [true, false, false])
})

test('cpuShare is relative to the whole machine, and unknown at first and after a restart', () => {
  const at = (takenAtMs: number, cpuNs?: number) => ({ takenAtMs, cpuNs })
  assert.equal(cpuShare(at(0, 0), at(1000, 1e9), 4), 25)
  assert.equal(cpuShare(undefined, at(1000, 1e9), 4), undefined)
  assert.equal(cpuShare(at(0, 5), at(1000, 1), 4), undefined)
  assert.equal(cpuShare(at(0, 0), at(0, 1), 4), undefined)
  assert.equal(cpuShare(at(0, 0), at(1000, 1), undefined), undefined)
})
