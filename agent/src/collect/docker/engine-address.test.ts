import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { findEngine, parseEngineAddress, usualSockets } from './engine-address.ts'

for (const [text, address] of [
  ['unix:///var/run/docker.sock', { kind: 'unix', path: '/var/run/docker.sock' }],
  ['tcp://socket-proxy:2375', { kind: 'address', origin: 'http://socket-proxy:2375' }],
  ['http://10.0.0.1:2375/', { kind: 'address', origin: 'http://10.0.0.1:2375' }],
  ['https://engine.example.org', { kind: 'address', origin: 'https://engine.example.org' }],
  ['unix://relative.sock', undefined],
  ['/var/run/docker.sock', undefined],
  ['ssh://user@host', undefined],
  ['npipe:////./pipe/docker_engine', undefined],
  ['unix://', undefined],
] as const) {
  test(`parseEngineAddress reads ${text}`, () => assert.deepEqual(parseEngineAddress(text), address))
}

function machineWith(...sockets: readonly string[]) {
  const memory = memoryRuntime({ files: {}, bytes: byteTools }).runtime
  const facts = { sizeBytes: 0, modifiedMs: 0, mode: 0o755 }
  return {
    ...memory,
    stat: (path: string) => {
      if (path === '/proc/self') return { ...facts, kind: 'folder', owner: 1000 } as const
      return sockets.includes(path) ? ({ ...facts, kind: 'socket', owner: 0 } as const) : null
    },
  }
}

test("bug class 8: findEngine tries Docker first, then the sockets of this user, then the machine's Podman", () => {
  const [docker = '', userPodman = '', userDocker = '', podman = ''] = usualSockets(1000)
  assert.deepEqual([docker, userPodman, podman], ['/var/run/docker.sock', '/run/user/1000/podman/podman.sock', '/run/podman/podman.sock'])
  const found = (...sockets: readonly string[]) => findEngine(machineWith(...sockets), { mode: 'search' })
  assert.deepEqual(found(podman, userPodman, docker), { kind: 'unix', path: docker })
  assert.deepEqual(found(podman, userPodman), { kind: 'unix', path: userPodman })
  assert.deepEqual(found(userDocker), { kind: 'unix', path: userDocker })
  assert.deepEqual(found(podman), { kind: 'unix', path: podman })
  assert.equal(found(), undefined)
})

test('findEngine uses only the configured address', () => {
  const address = { kind: 'address', origin: 'http://proxy:2375' } as const
  assert.equal(findEngine(machineWith('/var/run/docker.sock'), { mode: 'off' }), undefined)
  assert.equal(findEngine(machineWith('/var/run/docker.sock'), { mode: 'fixed', address }), address)
})
