import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { busyPercent, cpuCollector, cpuShares, parseCpuTimes, type CpuTimes } from './cpu.ts'

test('parseCpuTimes reads the machine and each core, up to the line of interrupts', () => {
  const { all, cores } = parseCpuTimes('cpu  66005 1449 13332 214137 1210 0 422 139 7 8\ncpu0 1 2 3 4\nintr 5 6\ncpu1 9 9 9 9\n')
  assert.deepEqual(all, { user: 66_005, nice: 1449, system: 13_332, idle: 214_137, iowait: 1210, irq: 0, softirq: 422, steal: 139 })
  assert.deepEqual(cores, [{ name: 'cpu0', times: { user: 1, nice: 2, system: 3, idle: 4, iowait: 0, irq: 0, softirq: 0, steal: 0 } }])
})

for (const text of ['', 'intr 1 2 3 4', 'cpu 1 2 3', 'cpu 1 2 x 4', 'cpu 1 -2 3 4']) {
  test(`parseCpuTimes refuses "${text}"`, () => assert.throws(() => parseCpuTimes(text), SyntaxError))
}

test('parseCpuTimes keeps the position of a core whose line cannot be read, and says why', () => {
  const { all, cores, problem } = parseCpuTimes('cpu 1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 -3 4\ncpu2 1 2 3 4\n')
  assert.deepEqual(
    [all.user, cores.map(({ name, times }) => [name, times?.user]), problem],
    [
      1,
      [
        ['cpu0', 1],
        ['cpu1', undefined],
        ['cpu2', 1],
      ],
      'Cannot parse "/proc/stat": line "cpu1" has no 4 counters',
    ],
  )
})

test('cpuCollector reports only those cores as unknown whose counters went back, stood still or cannot be read', () => {
  const memory = memoryRuntime({
    files: { '/proc/stat': 'cpu 9 0 0 9\ncpu0 9 0 0 9\ncpu1 9 0 0 9\ncpu2 9 0 0 9\ncpu3 9 0 0 9\n' },
    bytes: byteTools,
  })
  const collector = cpuCollector(procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }))
  collector.collect({ atMs: 0, consumer: 0 })
  memory.replaceFiles({ '/proc/stat': 'cpu 19 0 0 19\ncpu0 5 0 0 5\ncpu1 9 0 0 9\ncpu2 -1 0 0 9\ncpu3 19 0 0 19\n' })
  const sample = collector.collect({ atMs: 1000, consumer: 0 })
  assert.ok(sample !== undefined && !(sample instanceof Promise))
  assert.deepEqual(sample.coreBusyPercent, [undefined, undefined, undefined, 50])
})

test('cpuCollector keeps the position of a core that is switched off', async () => {
  const stat = (ticks: number, ...cores: readonly string[]) => ['cpu', ...cores].map((name) => `${name} ${ticks} 0 0 ${ticks}\n`).join('')
  const memory = memoryRuntime({ files: { '/proc/stat': stat(10, 'cpu0', 'cpu1', 'cpu2') }, bytes: byteTools })
  const collector = cpuCollector(procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }))
  const coresAfter = async (text: string) => {
    memory.replaceFiles({ '/proc/stat': text })
    return (await collector.collect({ atMs: 0, consumer: 0 }))?.coreBusyPercent
  }
  await coresAfter(stat(10, 'cpu0', 'cpu1', 'cpu2'))
  assert.deepEqual(await coresAfter(stat(20, 'cpu0', 'cpu2')), [50])
  assert.deepEqual(await coresAfter(stat(30, 'cpu0', 'cpu2')), [50, 50])
})

const none: CpuTimes = { user: 0, nice: 0, system: 0, idle: 0, iowait: 0, irq: 0, softirq: 0, steal: 0 }

for (const [name, now, expected] of [
  ['waiting for I/O does not count as busy', { user: 20, idle: 70, iowait: 10 }, 20],
  ['stolen time counts as busy', { user: 20, idle: 70, steal: 10 }, 30],
  ['no time passed', {}, undefined],
] as const) {
  test(`busyPercent: ${name}`, () => assert.equal(busyPercent(none, { ...none, ...now }), expected))
}

/** Interval of the first sample: 4 ticks of each core, ±1, since every counter is truncated to whole ticks. */
for (const [name, now, busy, idle] of [
  ['one core, nothing to do', { idle: 4 }, 0, 100],
  ['one core, a tick of work', { user: 1, idle: 3 }, 25, 75],
  ['one core, counters truncated to three ticks', { system: 1, idle: 2 }, 33.3, 66.7],
  ['one core, fully busy, with one tick more than elapsed', { user: 4, softirq: 1 }, 100, 0],
  ['two cores, a tick of work', { user: 1, idle: 7 }, 12.5, 87.5],
  ['sixteen cores, a tick of work', { user: 1, idle: 63 }, 1.6, 98.4],
] as const) {
  test(`busyPercent and cpuShares over 40 ms: ${name}`, () => {
    const times = { ...none, ...now }
    const tenths = (percent: number | undefined): number | undefined => percent && Math.round(percent * 10) / 10
    assert.deepEqual([tenths(busyPercent(none, times)), tenths(cpuShares(none, times)?.idlePercent)], [busy, idle])
  })
}

test('busyPercent is unknown after the counters went back', () => {
  assert.equal(busyPercent({ ...none, user: 100, idle: 100 }, { ...none, user: 1, idle: 1 }), undefined)
})

test('busyPercent and cpuShares stay within 0 and 100 for any two readings', () => {
  const ticks = fc.nat(1e12)
  const times = fc.record({ user: ticks, nice: ticks, system: ticks, idle: ticks, iowait: ticks, irq: ticks, softirq: ticks, steal: ticks })
  fc.assert(
    fc.property(times, times, (previous, current) => {
      const all = [busyPercent(previous, current) ?? 0, ...Object.values(cpuShares(previous, current) ?? {})]
      assert.ok(all.every((percent) => percent >= 0 && percent <= 100))
    }),
  )
})
