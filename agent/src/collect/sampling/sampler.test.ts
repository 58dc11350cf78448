import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { diskCounterReader } from '../disks/disk-counters.ts'
import { diskLayout } from '../disks/disk-layout.ts'
import { rootIoCollector } from '../disks/root-io.ts'
import { networkCollector } from '../network.ts'
import { part, runner, type PartCollector } from '../run-all.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { remainingWaitMs } from './first-readings.ts'
import { recordedFiles } from '../../fixtures/recorded-machine.ts'
import { logTo } from '../../runtime/log.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { createSampler } from './sampler.ts'
import { procSource } from '../../source/proc-source.ts'

for (const [name, beganAtMs, endedAtMs, nowMs, expected] of [
  ['immediate first readings', 38, 40, 40, 40],
  ['first readings of 6 ms', 34, 40, 40, 48],
  ['first readings with a slow engine', 0, 40, 40, 100],
  ['a part of the wait has passed', 0, 40, 139.5, 0.5],
  ['the whole wait has passed', 0, 40, 140, 0],
  ['the wait passed long ago', 0, 40, 60_000, 0],
] as const) {
  test(`remainingWaitMs: ${name}`, () => assert.equal(remainingWaitMs({ beganAtMs, endedAtMs }, nowMs), expected))
}

test('remainingWaitMs is 0 without first readings', () => assert.equal(remainingWaitMs(undefined, 5), 0))

const poll = { cacheTimeMs: 60_000, includeFacts: false, link: 'websocket' } as const

/** A machine with the files of a recorded machine, and the collectors of the test. */
function recorded(more: readonly PartCollector[] = []) {
  const memory = memoryRuntime({ files: recordedFiles('machine-1', 't0'), bytes: byteTools })
  const loop = createLoop(memory.runtime)
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const counters = diskCounterReader(source)
  const layout = diskLayout(source, counters, { filesystem: undefined, extraFilesystems: undefined, isGuest: false })
  const disk = rootIoCollector(counters, layout)
  const own = [part(disk, 1000, (rootDisk) => ({ rootDisk })), part(networkCollector(source, undefined), 1000, (network) => ({ network }))]
  const { run } = runner([...own, ...more], loop, logTo(memory.runtime, 'info'), memory.runtime.clock)
  return { ...memory, sampler: createSampler(run, loop, memory.runtime.clock) }
}

test('createSampler waits 40 ms for rates in a poll right after the start, and does not wait in a later poll', async () => {
  const { sampler, advance, runtime } = recorded()
  await sampler.seed()
  advance(30)
  const first = sampler.take(poll)
  await setImmediate()
  advance(10)
  const { rootDisk, network } = await first
  assert.equal(runtime.clock().monotonicMs, 40)
  assert.equal(rootDisk?.readBytesPerSecond, 0)
  assert.equal(network?.receivedBytesPerSecond, 0)
  advance(30_000)
  assert.equal((await sampler.take(poll)).network?.receivedBytesPerSecond, 0)
})

test('createSampler delays the first sample by at most two seconds when a first reading hangs', async () => {
  const hanging: PartCollector = {
    name: 'containers',
    deadlineMs: 4500,
    collect: () => new Promise<never>(() => undefined),
    report: () => ({}),
  }
  const { sampler, advance } = recorded([hanging])
  void sampler.seed()
  const first = sampler.take(poll)
  await setImmediate()
  advance(2000)
  await setImmediate()
  advance(2500)
  const { network, containers } = await first
  assert.equal(network?.receivedBytesPerSecond, 0)
  assert.equal(containers, undefined)
})

test('bug class 22: createSampler discards the oldest consumers when a hub sends many cache times', async () => {
  const taken: number[] = []
  const counting = part({ name: 'count', collect: ({ consumer }) => taken.push(consumer) }, 1000, () => ({}))
  const { sampler } = recorded([counting])
  for (let cacheTimeMs = 60_000; cacheTimeMs > 59_000; cacheTimeMs--) await sampler.take({ ...poll, cacheTimeMs })
  assert.equal(taken.length, 1000)
  await sampler.take({ ...poll, cacheTimeMs: 59_001 })
  assert.equal(taken.length, 1000, 'the newest is kept')
  await sampler.take(poll)
  assert.equal(taken.length, 1001, 'the oldest is not')
})
