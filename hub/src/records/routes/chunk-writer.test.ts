import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { chunkWriter } from './chunk-writer.ts'

/** A server of its own for one answer, which `answer` gives in full. */
async function serverFor(answer: (outgoing: ServerResponse) => void) {
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    answer(outgoing)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyFrom(port: number): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve) => get({ host: '127.0.0.1', port, agent: false }, resolve))
  return (await answer.setEncoding('utf8').toArray()).join('')
}

test('what the response still holds, and what is written past it, arrive in the order of writing, whole', async () => {
  const texts = ['first\n', 'café ☕ 𝄞\n', 'x'.repeat(100_000), '', 'last\n']
  await using server = await serverFor((outgoing) => {
    outgoing.write('begun\n')
    const { write } = chunkWriter(outgoing)
    // The head and the first piece wait for the end of the turn, what comes here must not overtake them.
    write('at once\n')
    setImmediate(() => {
      for (const text of texts) write(text)
      outgoing.end('ended\n')
    })
  })
  assert.equal(await bodyFrom(server.port), `begun\nat once\n${texts.join('')}ended\n`)
})

test('a reader of HTTP/1.0 gets the text without chunks', async () => {
  await using server = await serverFor((outgoing) => {
    outgoing.write('begun ')
    setImmediate(() => {
      chunkWriter(outgoing).write('text')
      outgoing.end()
    })
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\n\r\n')
  const answer = (await socket.setEncoding('utf8').toArray()).join('')
  assert.equal(answer.split('\r\n\r\n')[1], 'begun text')
})

test('a reader that does not read is said to be full, and to have room when it has read', async () => {
  const drained = Promise.withResolvers<number>()
  await using server = await serverFor((outgoing) => {
    outgoing.write('begun\n')
    setImmediate(() => {
      const { write, onceDrained } = chunkWriter(outgoing)
      let written = 1
      while (write('x'.repeat(65_536))) written++
      onceDrained(() => {
        outgoing.end()
        drained.resolve(written)
      })
    })
  })
  const body = await bodyFrom(server.port)
  assert.equal(body.length, 'begun\n'.length + (await drained.promise) * 65_536)
})
