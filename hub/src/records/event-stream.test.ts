import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFrame, eventStream } from './event-stream.ts'

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

test('eventFrame writes id, event and data, and a blank line', () => {
  assert.equal(eventFrame('c', 'systems/*', '{}'), 'id:c\nevent:systems/*\ndata:{}\n\n')
})

test('eventStream keeps one waiting frame per subject for a slow reader: the newest, as young as it is', async () => {
  const stream = eventStream(() => {})
  stream.send('a', 'a1 ')
  stream.send('b', 'b1 ')
  stream.send('a', 'a2 ')
  const reader = stream.body.getReader()
  assert.equal(decode((await reader.read()).value), 'b1 a2 ')
  stream.send('a', 'a3 ')
  assert.equal(decode((await reader.read()).value), 'a3 ')
})

test('eventStream ends a reader that falls too far behind, and tells once', async () => {
  let ended = 0
  const stream = eventStream(() => (ended += 1))
  for (let subject = 0; subject < 3000; subject += 1) stream.send(String(subject), 'x')
  assert.equal(ended, 1)
  stream.close()
  assert.equal(ended, 1)
  assert.equal((await stream.body.getReader().read()).done, true)
})

test('eventStream ends when its reader goes away', async () => {
  let ended = 0
  const stream = eventStream(() => (ended += 1))
  const reader = stream.body.getReader()
  const waiting = reader.read()
  await reader.cancel()
  assert.equal((await waiting).done, true)
  assert.equal(ended, 1)
})

test('eventStream.keepAlive sends a comment to a reader that hears nothing', async () => {
  const stream = eventStream(() => {})
  const reader = stream.body.getReader()
  const waiting = reader.read()
  stream.keepAlive()
  assert.equal(decode((await waiting).value), ':\n\n')
})
