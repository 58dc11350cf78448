import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop } from '../runtime/deadline.ts'
import { isHealthy, startHealth } from './health-file.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const isInMemory = (path: string): boolean => path.startsWith('/dev/shm/')

test('startHealth updates its file while the agent runs, and removes it at the end', () => {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  const health = startHealth(memory.runtime, createLoop(memory.runtime), '/data')
  memory.advance(10 * 60_000)
  assert.ok(isHealthy(memory.runtime, ['/data']))
  assert.ok([...memory.files.keys()].every(isInMemory))
  assert.ok(!isHealthy(memory.runtime, ['/other']), 'another agent')
  health.stop()
  assert.deepEqual([...memory.files.keys()], [])
  assert.ok(!isHealthy(memory.runtime, ['/data']))
})

test('isHealthy is false half a minute after a crashed agent missed its next update', () => {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  // The timers of this agent do not advance.
  startHealth(memory.runtime, { ...createLoop(memory.runtime), after: () => () => undefined }, undefined)
  memory.advance(91_000)
  assert.ok(isHealthy(memory.runtime, []))
  memory.advance(1)
  assert.ok(!isHealthy(memory.runtime, []))
})

test('startHealth writes into the data folder when the memory filesystem is unavailable', () => {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  const { runtime } = memory
  const refusing = {
    ...runtime,
    writeFile: (path: string, ...rest: [Uint8Array, number]) => (isInMemory(path) ? 'EACCES' : runtime.writeFile(path, ...rest)),
  }
  startHealth(refusing, createLoop(runtime), '/data')
  assert.ok(!isHealthy(runtime, []))
  assert.ok(isHealthy(runtime, ['/elsewhere', '/data']))
})
