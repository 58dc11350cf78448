import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import type { HttpEvent } from '../../runtime/runtime.ts'
import { engineClient } from './client.ts'
import { containerLists } from './container-list.ts'

const docker = { podman: false, majorVersion: 27 }
const listed = (status: string) => [{ Id: 'a'.repeat(64), Names: ['/c'], Image: 'i', Status: status }]

/** An engine with an event stream that counts the requests for its list. */
function engine() {
  const state = { status: 'Up 2 hours', head: 200 as number | undefined, asked: 0 }
  const streams: { readonly path: string; readonly deadlineMs: number; readonly tell: (event: HttpEvent) => void }[] = []
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: ({ path, deadlineMs }, tell): HttpEvent | undefined => {
      if (path.startsWith('/events')) {
        streams.push({ path, deadlineMs, tell })
        return state.head === undefined ? undefined : { kind: 'head', status: state.head, headers: [] }
      }
      state.asked++
      return { kind: 'answer', status: 200, headers: [], body: byteTools.utf8(JSON.stringify(listed(state.status))) }
    },
  })
  const parts = { runtime: memory.runtime, loop: createLoop(memory.runtime) }
  const client = engineClient(parts, () => ({ kind: 'unix', path: '/run/engine.sock' }), 2100)
  const lists = containerLists(memory.runtime, client, () => false)
  return {
    state,
    streams,
    tell: async (event: HttpEvent) => {
      streams.at(-1)?.tell(event)
      await setImmediate()
    },
    wait: memory.advance,
    /** After 1 s: whether the list was requested, and its content. */
    next: async ({ kind = docker, someEnded = false } = {}) => {
      memory.advance(1000)
      const before = state.asked
      const held = lists.validList(kind)
      const { list } = held === undefined || someEnded ? await lists.request() : held
      await setImmediate()
      return { isAsked: state.asked > before, status: list.listed[0]?.status }
    },
  }
}

const died: HttpEvent = { kind: 'piece', data: byteTools.utf8('{"Type":"container","Action":"die"}\n') }

/** Opens the event stream and requests the list once more after that. */
async function hearing(what = engine()) {
  for (let sample = 0; sample < 3; sample++) await what.next()
  return what
}

test('containerLists with an event stream requests the list only after an event', async () => {
  const docker = engine()
  const asked: boolean[] = []
  for (let sample = 0; sample < 6; sample++) asked.push((await docker.next()).isAsked)
  assert.deepEqual(asked, [true, true, true, false, false, false])
  docker.state.status = 'Up 2 hours (Paused)'
  await docker.tell(died)
  assert.deepEqual(await docker.next(), { isAsked: true, status: 'Up 2 hours (Paused)' })
  assert.deepEqual(await docker.next(), { isAsked: false, status: 'Up 2 hours (Paused)' })
})

test('containerLists subscribes for a minute, and only to container events that change the list', async () => {
  const { streams } = await hearing()
  assert.equal(streams.length, 1)
  const [path, query = ''] = (streams[0]?.path ?? '').split('?filters=')
  assert.equal(path, '/events')
  const filters = JSON.parse(decodeURIComponent(query)) as { readonly type: string[]; readonly event: string[] } // Docker Engine API, /events
  assert.deepEqual(filters.type, ['container'])
  for (const event of ['start', 'die', 'rename', 'health_status', 'pause', 'unpause']) assert.ok(filters.event.includes(event))
  assert.ok(!filters.event.some((event) => event.startsWith('exec')))
  assert.equal(streams[0]?.deadlineMs, 60_000)
})

test('containerLists requests the list every ten seconds to refresh the uptimes', async () => {
  const docker = await hearing()
  docker.wait(8000)
  assert.equal((await docker.next()).isAsked, false)
  assert.equal((await docker.next()).isAsked, true)
})

test('containerLists requests the list every three seconds while a container has just started', async () => {
  const docker = engine()
  docker.state.status = 'Up 3 seconds'
  await hearing(docker)
  const asked: boolean[] = []
  for (let sample = 0; sample < 6; sample++) asked.push((await docker.next()).isAsked)
  assert.deepEqual(asked, [false, false, true, false, false, true])
})

test('containerLists requests the list when the caller knows that a container ended', async () => {
  const docker = await hearing()
  assert.equal((await docker.next({ someEnded: true })).isAsked, true)
})

for (const end of [
  { kind: 'failed', reason: 'took longer than 60000 ms' },
  { kind: 'end', cut: true },
] as const) {
  test(`containerLists requests the list each time after the event stream ended (${end.kind}), until a new stream is open`, async () => {
    const docker = await hearing()
    await docker.tell(end)
    assert.equal((await docker.next()).isAsked, true)
    assert.equal(docker.streams.length, 2)
    assert.deepEqual([(await docker.next()).isAsked, (await docker.next()).isAsked], [true, false])
  })
}

test('containerLists requests the list each time while the engine refuses the event stream, and retries after a minute', async () => {
  const docker = engine()
  docker.state.head = 403
  await hearing(docker)
  await docker.tell({ kind: 'end', cut: false })
  for (let sample = 0; sample < 3; sample++) assert.equal((await docker.next()).isAsked, true)
  assert.equal(docker.streams.length, 1)
  docker.wait(57_000)
  await hearing(docker)
  assert.equal(docker.streams.length, 2)
})

test('containerLists requests the list each time while the engine does not respond to the event request', async () => {
  const docker = engine()
  docker.state.head = undefined
  await hearing(docker)
  assert.equal((await docker.next()).isAsked, true)
})

test('containerLists opens no event stream for a caller that reads once a minute, or for Podman', async () => {
  const slow = engine()
  for (let sample = 0; sample < 3; sample++) {
    slow.wait(59_000)
    assert.equal((await slow.next()).isAsked, true)
  }
  const podman = engine()
  for (let sample = 0; sample < 4; sample++) assert.equal((await podman.next({ kind: { podman: true, majorVersion: 5 } })).isAsked, true)
  assert.deepEqual([slow.streams.length, podman.streams.length], [0, 0])
})
