import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop } from '../runtime/deadline.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { loadedCollectors } from './loaded-collectors.ts'

const roots = { proc: '/proc', sys: '/sys', etc: '/etc' }
const on = { gpus: { mode: 'on', makers: ['nvidia', 'amd', 'intel'] }, services: { mode: 'on', patterns: ['*.service'] } } as const

test('loadedCollectors omits collectors that are switched off', () => {
  const { runtime } = memoryRuntime({ files: {}, bytes: byteTools })
  const names = (options: Partial<typeof on> | object) =>
    loadedCollectors(runtime, createLoop(runtime), { roots, primarySensor: undefined, ...on, ...options }).map(({ name }) => name)
  assert.deepEqual(names({}), ['gpus', 'services'])
  assert.deepEqual(names({ gpus: { mode: 'off' }, services: { mode: 'off' } }), [])
})

test('loadedCollectors notices a new GPU within ten minutes', async () => {
  const files = { '/sys/class/drm/card0/device/vendor': '0x8086\n' }
  const { runtime, advance, replaceFiles } = memoryRuntime({ files: {}, bytes: byteTools })
  const [gpus] = loadedCollectors(runtime, createLoop(runtime), { roots, primarySensor: undefined, ...on })
  const collect = () => gpus?.collect({ consumer: 1000, atMs: runtime.clock().monotonicMs })
  assert.equal(await collect(), undefined)
  replaceFiles(files)
  advance(9 * 60_000)
  assert.equal(await collect(), undefined)
  advance(60_000)
  assert.deepEqual(await collect(), { gpus: { card0: { name: 'Intel GPU' } } })
})
