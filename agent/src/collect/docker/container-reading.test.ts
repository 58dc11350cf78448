import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedContainer, namedContainers } from './list.ts'
import { containerCpuPercent, sameRun, type ContainerReading, type CounterSource } from './container-reading.ts'
import { containerReading } from './stats.ts'

const listed = (Status: string) =>
  namedContainers([{ Id: '0123456789abcdef', Names: ['/web'], Image: 'web:1', Status }]).map(listedContainer)[0]

for (const [status, readBeforeMs, isSameRun] of [
  ['Up Less than a second', 0, false],
  ['Up 1 second', 999, true],
  ['Up 5 seconds', 4999, true],
  ['Up 5 seconds', 5000, false],
  ['Up 59 seconds (health: starting)', 60_000, false],
  ['Up About a minute', 60_000, true],
  ['Up 2 days', 60_000, true],
] as const) {
  test(`sameRun: a reading ${readBeforeMs} ms before "${status}" ${isSameRun ? 'counts' : 'is of another run'}`, () => {
    const one = listed(status)
    assert.ok(one !== undefined)
    const reading = containerReading([], 100_000 - readBeforeMs, false)
    assert.equal(sameRun(one, reading, 100_000), isSameRun ? reading : undefined)
  })
}

/** CPU time in percent of two processors, measured after one second. */
function measuredPercent(source: CounterSource, percent: number): number | undefined {
  const idle: ContainerReading = { ...containerReading([], 0, false), source, cpuNs: 0, clockNs: 0, onlineCpus: 2 }
  const clockNs = source === 'docker' ? 2_000_000_000 : 1_000_000_000
  return containerCpuPercent(idle, { ...idle, cpuNs: percent * 20_000_000, clockNs, takenAtMs: 1000 })
}

for (const source of ['docker', 'podman', 'kernel'] as const) {
  for (const [percent, expected] of [
    [0, 0],
    [99.5, 99.5],
    [100, 100],
    [100.01, 100],
    [125, 100],
    [126, undefined],
    [-1, undefined],
  ] as const) {
    test(`containerCpuPercent by ${source}: ${percent} % of the machine is ${expected}`, () => {
      assert.equal(measuredPercent(source, percent), expected)
    })
  }
}
