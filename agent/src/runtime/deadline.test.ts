import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoop, DeadlineExceeded } from './deadline.ts'
import { memoryRuntime } from './memory-runtime.ts'
import { byteTools } from './node/byte-tools.ts'

function world() {
  const memory = memoryRuntime({ files: {}, bytes: byteTools, answer: ({ path }) => ({ kind: 'failed', reason: path }) })
  return { ...memory, loop: createLoop(memory.runtime) }
}

test('Loop.after runs each timer once, in order of time, and never after it was cancelled', () => {
  const { loop, advance } = world()
  const ran: string[] = []
  loop.after(20, () => ran.push('late'))
  loop.after(10, () => ran.push('early'))
  loop.after(15, () => ran.push('cancelled'))()
  advance(9)
  assert.deepEqual(ran, [])
  advance(100)
  assert.deepEqual(ran, ['early', 'late'])
})

test('Loop.within returns the outcome and clears its timer', async () => {
  const { loop } = world()
  assert.equal(await loop.within(10, 'work', Promise.resolve(7)), 7)
  await assert.rejects(loop.within(10, 'work', Promise.reject(new SyntaxError('bad'))), SyntaxError)
})

test('Loop.within rejects an operation that takes too long, with its name', async () => {
  const { loop, advance } = world()
  const late = loop.within(10, 'disk usage', new Promise(() => undefined))
  advance(10)
  await assert.rejects(late, new DeadlineExceeded('disk usage took longer than 10 ms'))
})

test('Loop.fetch resolves with the response to its own request', async () => {
  const { loop } = world()
  const ask = (path: string) =>
    loop.fetch({ to: { kind: 'unix', path: '/engine' }, method: 'GET', path, headers: [], maxBytes: 1, deadlineMs: 1 })
  const ends = await Promise.all([ask('/a'), ask('/b')])
  assert.deepEqual(ends, [
    { kind: 'failed', reason: '/a' },
    { kind: 'failed', reason: '/b' },
  ])
})

test('Loop.fetchPieces returns head and chunks in order, then the outcome', async () => {
  const piece = (text: string) => ({ kind: 'piece', data: byteTools.utf8(text) }) as const
  const { runtime } = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: () => [{ kind: 'head', status: 200, headers: [] }, piece('a'), piece('b'), { kind: 'end', cut: true }],
  })
  const heard: string[] = []
  const request = { to: { kind: 'unix', path: '/s' }, method: 'GET', path: '/', headers: [], maxBytes: 2, deadlineMs: 1 } as const
  const end = await createLoop(runtime).fetchPieces(request, {
    onHead: ({ status }) => heard.push(String(status)),
    onPiece: (data) => heard.push(byteTools.fromUtf8(data)),
  })
  assert.deepEqual([heard, end], [['200', 'a', 'b'], { kind: 'end', cut: true }])
})

test('Loop.connect passes each socket its own events until it closes', async () => {
  const { runtime } = memoryRuntime({
    files: {},
    bytes: byteTools,
    accept: ({ path, tell, onWrite }) => {
      tell({ kind: 'open' })
      onWrite((data) => tell({ kind: 'data', data: byteTools.utf8(`${path} ${byteTools.fromUtf8(data)}`) }))
    },
  })
  const loop = createLoop(runtime)
  const seen = (path: string) =>
    new Promise<readonly string[]>((resolve) => {
      const events: string[] = []
      const socket = loop.connect(path, (event) => {
        events.push(event.kind === 'data' ? byteTools.fromUtf8(event.data) : event.kind)
        if (event.kind === 'open') socket.write(byteTools.utf8('hello'))
        if (event.kind === 'data') socket.close()
        if (event.kind === 'closed') resolve(events)
      })
    })
  assert.deepEqual(await Promise.all([seen('/a'), seen('/b')]), [
    ['open', '/a hello', 'closed'],
    ['open', '/b hello', 'closed'],
  ])
})
