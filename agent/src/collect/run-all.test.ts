import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop } from '../runtime/deadline.ts'
import { logTo } from '../runtime/log.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { createSampler } from './sampling/sampler.ts'
import { mergeParts, part, runner, type PartCollector } from './run-all.ts'

function machine(collectors: readonly PartCollector[]) {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  const loop = createLoop(memory.runtime)
  const { run, findings } = runner(collectors, loop, logTo(memory.runtime, 'info'), memory.runtime.clock)
  return { ...memory, loop, run, findings, tick: (consumer = 1000) => run({ atMs: memory.runtime.clock().monotonicMs, consumer }) }
}

const uptime = part({ name: 'uptime', collect: () => 7 }, 1000, (uptimeSeconds) => ({ uptimeSeconds }))

test('runner: a collector that hangs does not delay the others, is logged once, and is not started again while it hangs', async () => {
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

test('runner: a request during a running collector waits for the same result', async () => {
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

test('runner: the last good value replaces a failed reading for 150 s, then the value is absent', async () => {
  let fails = false
  const collect = (): number => {
    if (fails) throw new SyntaxError('Cannot parse')
    return 5
  }
  const { tick, advance } = machine([part({ name: 'uptime', collect }, 1000, (uptimeSeconds) => ({ uptimeSeconds }))])
  assert.deepEqual(await tick(), { uptimeSeconds: 5 })
  fails = true
  advance(150_000)
  assert.deepEqual(await tick(), { uptimeSeconds: 5, ages: { uptimeSeconds: 150_000 } })
  advance(1)
  assert.deepEqual(await tick(), {})
})

test('createSampler reuses one measurement for half the cache time, per consumer', async () => {
  const consumers: number[] = []
  const counting = part({ name: 'count', collect: ({ consumer }) => consumers.push(consumer) }, 1000, () => ({}))
  const { run, loop, runtime, advance } = machine([counting])
  const sampler = createSampler(run, loop, runtime.clock)
  const take = (cacheTimeMs: number) => sampler.take({ cacheTimeMs, includeFacts: false, link: 'ssh' })
  await Promise.all([take(60_000), take(60_000), take(1000)])
  advance(29_999)
  await take(60_000)
  advance(1)
  await take(60_000)
  await take(0)
  await take(0)
  assert.deepEqual(consumers, [60_000, 1000, 60_000, 0, 0])
})

test('bug class 10: a collector that overruns three times in a row pauses for a minute, and "doctor" reports its cost', async () => {
  const ends: (() => void)[] = []
  let hangs = true
  const slow = part(
    { name: 'sensors', collect: () => (hangs ? new Promise<undefined>((resolve) => void ends.push(() => resolve(undefined))) : 5) },
    500,
    () => ({ uptimeSeconds: 5 }),
  )
  const { tick, advance, findings } = machine([slow])
  for (let round = 0; round < 3; round++) {
    const late = tick()
    advance(500)
    assert.deepEqual(await late, {})
    ends.pop()?.()
    await Promise.resolve()
    await Promise.resolve()
  }
  assert.deepEqual(findings(), [{ name: 'sensors', state: 'failing', skipped: [], error: 'sensors took longer than 500 ms', costMs: 500 }])
  hangs = false
  advance(59_999)
  assert.deepEqual(await tick(), {})
  advance(1)
  assert.deepEqual(await tick(), { uptimeSeconds: 5 })
  assert.deepEqual(findings(), [{ name: 'sensors', state: 'works', skipped: [], costMs: 0, ageMs: 0 }])
})

test('mergeParts joins temperatures of sensors and GPUs and uses the hottest for the machine unless a sensor is configured', () => {
  const sensors = { temperatures: { cpu: 50 }, dashboardCelsius: 50 }
  const gpus = { temperatures: { GPU: 70 } }
  assert.deepEqual(mergeParts([sensors, undefined, gpus]), { temperatures: { cpu: 50, GPU: 70 }, dashboardCelsius: 50 })
  assert.equal(mergeParts([sensors, { ...gpus, dashboardCelsius: 70 }]).dashboardCelsius, 70)
  assert.equal(mergeParts([gpus]).dashboardCelsius, 70)
  assert.deepEqual(mergeParts([{ uptimeSeconds: 1 }]), { uptimeSeconds: 1 })
})
