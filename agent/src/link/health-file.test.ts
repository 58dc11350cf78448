import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop } from '../runtime/deadline.ts'
import { isHealthy, startHealth } from './health-file.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const isInMemory = (path: string): boolean => path.startsWith('/dev/shm/')

test('startHealth keeps a file young for as long as the agent is at work, and takes it away', () => {
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

test('isHealthy: an agent that stopped without a word is not, half a minute after its next sign was due', () => {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  // Nobody turns its timers.
  startHealth(memory.runtime, { ...createLoop(memory.runtime), after: () => () => undefined }, undefined)
  memory.advance(91_000)
  assert.ok(isHealthy(memory.runtime, []))
  memory.advance(1)
  assert.ok(!isHealthy(memory.runtime, []))
})

test('startHealth writes into the data folder where memory is not to be had', () => {
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
