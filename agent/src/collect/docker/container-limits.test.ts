import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop } from '../../runtime/deadline.ts'
import { recordedStates } from '../../fixtures/recorded-machine.ts'
import type { Member } from '../../runtime/runtime.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import { engineClient } from './client.ts'
import { containerLimits, type ContainerLimits, type MachineSize } from './container-limits.ts'
import { containersCollector } from './containers.ts'

const GIBIBYTE = 2 ** 30

const cases: readonly (readonly [string, readonly (Member | undefined)[], MachineSize, Partial<ContainerLimits>])[] = [
  ['no limits', [0, 0, 0, 0], { memoryBytes: 8 * GIBIBYTE, cpus: 4 }, {}],
  ['-1 for no limit', [-1, -1, -1, -1], { memoryBytes: 8 * GIBIBYTE, cpus: 4 }, {}],
  ['an inspection without limits', [], { memoryBytes: 8 * GIBIBYTE, cpus: 4 }, {}],
  ['texts', ['1', 'a', null, undefined], { memoryBytes: 8 * GIBIBYTE, cpus: 4 }, {}],
  ['the machine as limit', [8 * GIBIBYTE, 4e9, 0, 0], { memoryBytes: 8 * GIBIBYTE, cpus: 4 }, {}],
  ['a limit above the machine', [9 * GIBIBYTE, 0, 500_000, 100_000], { memoryBytes: 8 * GIBIBYTE, cpus: 4 }, {}],
  [
    'limits just below the machine',
    [8 * GIBIBYTE - 1, 3.99e9, 0, 0],
    { memoryBytes: 8 * GIBIBYTE, cpus: 4 },
    { memoryLimitBytes: 8 * GIBIBYTE - 1, cpuLimitCpus: 3.99 },
  ],
  [
    'a machine of unknown size',
    [GIBIBYTE, 2e9, 0, 0],
    { memoryBytes: undefined, cpus: undefined },
    { memoryLimitBytes: GIBIBYTE, cpuLimitCpus: 2 },
  ],
  ['a quota', [0, 0, 15_000, 10_000], { memoryBytes: undefined, cpus: 4 }, { cpuLimitCpus: 1.5 }],
  ['a quota in the usual period', [0, 0, 25_000, 0], { memoryBytes: undefined, cpus: 4 }, { cpuLimitCpus: 0.25 }],
  ['a period without a quota', [0, 0, 0, 50_000], { memoryBytes: undefined, cpus: 4 }, {}],
]

for (const [name, values, machine, expected] of cases) {
  test(`containerLimits reads ${name}`, () => {
    assert.deepEqual(containerLimits(values, machine), { memoryLimitBytes: undefined, cpuLimitCpus: undefined, ...expected })
  })
}

/** A machine with the recorded engine's memory and CPUs. */
function collectorOfRecording() {
  const engine = recordedStates()
  const { NCPU, MemTotal } = engine.info
  const cpus = Array.from({ length: NCPU }, (_, core) => `cpu${core} 1 0 1 1 0 0 0 0 0 0`)
  const memory = memoryRuntime({
    files: {
      '/proc/meminfo': `MemTotal: ${MemTotal / 1024} kB\n`,
      '/proc/stat': ['cpu 1 0 1 1 0 0 0 0 0 0', ...cpus, 'intr 1'].join('\n'),
    },
    bytes: byteTools,
    answer: ({ path }) => {
      const inspected = engine.inspect.find(({ Id }) => path === `/containers/${Id.slice(0, 12)}/json`)
      const value = path === '/version' ? engine.version : path === '/containers/json' ? engine.list : inspected
      return { kind: 'answer', status: value === undefined ? 404 : 200, headers: [], body: byteTools.utf8(JSON.stringify(value ?? {})) }
    },
  })
  const parts = {
    runtime: memory.runtime,
    loop: createLoop(memory.runtime),
    source: procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }),
  }
  const client = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
  return containersCollector({ ...parts, engine: client }, { exclude: [], budgetMs: 4000 })
}

test("containersCollector reports the limits of a recorded engine, and no limit that equals the machine's size", async () => {
  const containers = (await collectorOfRecording().collect({ consumer: 1000, atMs: 0 }))?.containers ?? []
  const limits = containers.map(({ name, memoryLimitBytes, cpuLimitCpus }) => [name, memoryLimitBytes, cpuLimitCpus] as const)
  assert.deepEqual(
    limits.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [
      ['beyond-machine', undefined, undefined],
      ['limited', 64 * 2 ** 20, 0.5],
      ['quota', undefined, 1.5],
      ['unlimited', undefined, undefined],
      ['usual-period', undefined, 0.25],
    ],
  )
  const unlimited = containers.find(({ name }) => name === 'unlimited')
  assert.ok(unlimited !== undefined && !('memoryLimitBytes' in unlimited) && !('cpuLimitCpus' in unlimited))
})
