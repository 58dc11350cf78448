import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop } from '../deadline.ts'
import { logTo } from '../log.ts'
import { memoryRuntime } from '../runtime-memory.ts'
import { byteTools } from '../runtime-node/byte-tools.ts'
import { createSampler } from '../sampler.ts'
import { part, runner, type PartCollector } from './run-all.ts'

function machine(collectors: readonly PartCollector[]) {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  const loop = createLoop(memory.runtime)
  const run = runner(collectors, loop, logTo(memory.runtime, 'info'))
  return { ...memory, loop, run, tick: (consumer = 1000) => run({ atMs: memory.runtime.clock().monotonicMs, consumer }) }
}

const uptime = part({ name: 'uptime', collect: () => 7 }, 1000, (uptimeSeconds) => ({ uptimeSeconds }))

test('runner: a collector that hangs costs the others nothing, is told once, and is not started again meanwhile', async () => {
  let started = 0
  const hanging = part({ name: 'cpu', collect: () => (started++, new Promise<never>(() => undefined)) }, 500, () => ({}))
  const { tick, advance, logged } = machine([hanging, uptime])
  const first = tick()
  advance(500)
  assert.deepEqual(await first, { uptimeSeconds: 7 })
  assert.deepEqual(await tick(), { uptimeSeconds: 7 })
  assert.equal(started, 1)
  assert.deepEqual(
    logged.map(({ text }) => text),
    ['Cannot read part of this machine part=cpu reason="cpu took longer than 500 ms"'],
  )
})

test('runner: who asks while a collector is at work waits for the same end', async () => {
  const ends: ((value: number) => void)[] = []
  const slow = part(
    { name: 'uptime', collect: () => new Promise<number>((resolve) => void ends.push(resolve)) },
    4500,
    (uptimeSeconds) => ({
      uptimeSeconds,
    }),
  )
  const { tick, advance } = machine([slow])
  const first = tick()
  advance(2000)
  const second = tick()
  assert.equal(ends.length, 1)
  ends[0]?.(7)
  assert.deepEqual([await first, await second], [{ uptimeSeconds: 7 }, { uptimeSeconds: 7 }])
})

test('runner: the last good value stands in for a failure for 150 s, then nothing does', async () => {
  let fails = false
  const collect = (): number => {
    if (fails) throw new SyntaxError('Cannot parse')
    return 5
  }
  const { tick, advance } = machine([part({ name: 'uptime', collect }, 1000, (uptimeSeconds) => ({ uptimeSeconds }))])
  assert.deepEqual(await tick(), { uptimeSeconds: 5 })
  fails = true
  advance(150_000)
  assert.deepEqual(await tick(), { uptimeSeconds: 5 })
  advance(1)
  assert.deepEqual(await tick(), {})
})

test('createSampler shares one measurement for half the cache time, per consumer', async () => {
  const consumers: number[] = []
  const counting: PartCollector = { name: 'count', deadlineMs: 1000, collect: async ({ consumer }) => (consumers.push(consumer), {}) }
  const { run, loop, runtime, advance } = machine([counting])
  const sampler = createSampler(run, loop, runtime.clock)
  const take = (cacheTimeMs: number) => sampler.take({ cacheTimeMs, includeDetails: false, link: 'ssh' })
  await Promise.all([take(60_000), take(60_000), take(1000)])
  advance(29_999)
  await take(60_000)
  advance(1)
  await take(60_000)
  await take(0)
  await take(0)
  assert.deepEqual(consumers, [60_000, 1000, 60_000, 0, 0])
})
