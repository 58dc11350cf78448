import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import fc from 'fast-check'
import type { RecordAction } from '../events/event-bus.ts'
import { eventStream, frameText, type EventFrame } from './event-stream.ts'

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
const frame = (data: string): EventFrame => ({ event: 'e', data })
const open = (ended = () => {}) => eventStream({ id: 'c', ended })

test('frameText writes id, event and data, then an empty line', () => {
  assert.equal(frameText('c', { event: 'systems/*', data: '{}' }), 'id:c\nevent:systems/*\ndata:{}\n\n')
  const change = frameText('c', { event: 'systems/*', data: '{"id":"a"}', action: 'update' })
  assert.equal(change, 'id:c\nevent:systems/*\ndata:{"record":{"id":"a"},"action":"update"}\n\n')
})

test('eventStream queues only the newest frame per subject for a slow reader', async () => {
  const stream = open()
  stream.send('a', frame('a1'))
  stream.send('b', frame('b1'))
  stream.send('a', frame('a2'))
  const reader = stream.body.getReader()
  assert.equal(decode((await reader.read()).value), frameText('c', frame('b1')) + frameText('c', frame('a2')))
  stream.send('a', frame('a3'))
  assert.equal(decode((await reader.read()).value), frameText('c', frame('a3')))
})

const lives = fc.array(fc.constantFrom<RecordAction>('create', 'update', 'delete'), { minLength: 1, maxLength: 8 })

test('eventStream: slow and fast readers have the same records in the end', async () => {
  const apply = (known: Map<string, string>, { action, data }: EventFrame): void => {
    if (action === 'delete') known.delete('r')
    else if (action === 'create' || known.has('r')) known.set('r', data)
  }
  await fc.assert(
    fc.asyncProperty(fc.boolean(), lives, fc.array(fc.boolean(), { maxLength: 8 }), async (there, wanted, reads) => {
      let alive = there
      const events = wanted.flatMap((action, at): EventFrame[] => {
        if (alive === (action === 'create')) return []
        alive = action !== 'delete'
        return [{ event: 'e', data: `{"at":${at}}`, action }]
      })
      const [fast, slow] = [new Map(there ? [['r', '{}']] : []), new Map(there ? [['r', '{}']] : [])]
      const stream = open()
      const reader = stream.body.getReader()
      const read = async (): Promise<void> => {
        // Frames that cancel one another leave nothing to read; the keep-alive comment then ends the read.
        stream.keepAlive()
        const text = decode((await reader.read()).value)
        for (const [, data = '', action = ''] of text.matchAll(/"record":(.*),"action":"(\w+)"/g)) {
          apply(slow, { event: 'e', data, action: action as RecordAction }) // as it was sent
        }
      }
      for (const [at, event] of events.entries()) {
        apply(fast, event)
        stream.send('r', event)
        if (reads[at] === true) await read()
      }
      await read()
      assert.deepEqual(slow, fast)
    }),
  )
})

test('eventStream sends a slow reader VEDETTE_RESYNC, ends, and calls `ended` once', async () => {
  for (const data of ['x', 'x'.repeat(1000)]) {
    let ended = 0
    const stream = open(() => (ended += 1))
    for (let subject = 0; subject < 3000; subject += 1) stream.send(String(subject), frame(data))
    assert.equal(ended, 1)
    stream.close()
    assert.equal(ended, 1)
    const reader = stream.body.getReader()
    assert.equal(decode((await reader.read()).value), 'id:c\nevent:VEDETTE_RESYNC\ndata:{}\n\n')
    assert.equal((await reader.read()).done, true)
  }
})

test('eventStream cuts a reader that does not read its last frame within 10 s', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let cuts = 0
  const stream = eventStream({ id: 'c', ended: () => {}, cut: () => (cuts += 1) })
  for (let subject = 0; subject < 3000; subject += 1) stream.send(String(subject), frame('x'))
  assert.equal(cuts, 0)
  t.mock.timers.tick(10_000)
  assert.equal(cuts, 1)
})

test('eventStream ends when its reader cancels', async () => {
  let ended = 0
  const reader = open(() => (ended += 1)).body.getReader()
  const waiting = reader.read()
  await reader.cancel()
  assert.equal((await waiting).done, true)
  assert.equal(ended, 1)
})

test('eventStream.keepAlive sends a comment to an idle reader', async () => {
  const stream = open()
  const reader = stream.body.getReader()
  const waiting = reader.read()
  stream.keepAlive()
  assert.equal(decode((await waiting).value), ':\n\n')
  stream.keepAlive()
  stream.send('a', frame('a1'))
  assert.equal(decode((await reader.read()).value), frameText('c', frame('a1')))
})

test('eventStream sends the events of one turn together, without a create and a delete that cancel out', async () => {
  const stream = open()
  const reader = stream.body.getReader()
  const reading = reader.read()
  stream.send('c', { event: 'e', data: '{}', action: 'create' })
  stream.send('c', { event: 'e', data: '{}', action: 'delete' })
  await nextTurn()
  stream.send('a', frame('a1'))
  stream.send('b', frame('b1'))
  stream.send('a', frame('a2'))
  assert.equal(decode((await reading).value), frameText('c', frame('b1')) + frameText('c', frame('a2')))
  stream.close()
  assert.equal((await reader.read()).done, true)
})

test('eventStream keeps the newest frame of each subject for a congested connection, and drops no subject', async () => {
  const stream = open()
  const listener = getRequestListener(() => new Response(stream.body))
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const response = await new Promise<IncomingMessage>((resolve) => get({ host: '127.0.0.1', port: address.port, agent: false }, resolve))
  for (let at = 0; at < 200; at++) {
    stream.send('large', frame(`${at} ${'x'.repeat(100_000)}`))
    stream.send(`small ${at}`, frame(`s${at}`))
    await nextTurn()
  }
  stream.send('last', frame('last'))
  let text = ''
  for await (const piece of response.setEncoding('utf8')) {
    text += String(piece)
    if (text.endsWith('data:last\n\n')) stream.close()
  }
  const larges = [...text.matchAll(/^data:(\d+) x/gm)].map(([, at]) => Number(at))
  assert.ok(larges.length < 200, `${larges.length} frames of one subject were sent`)
  assert.equal(larges.at(-1), 199)
  const smalls = [...text.matchAll(/^data:s(\d+)$/gm)].map(([, at]) => Number(at))
  assert.deepEqual(
    smalls,
    Array.from({ length: 200 }, (_, at) => at),
  )
  server.close()
  await once(server, 'close')
})
