import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Hono } from 'hono'
import { connect, type TLSSocket } from 'node:tls'
import type { TlsPair } from '../../src/platform/http/listening/tls-files.ts'
import type { RequestContext } from '../../src/http/requests/request-context.ts'
import { localCertificate } from '../local-certificate.ts'
import { rawConnection } from '../raw-connection.ts'
import { servedApp } from '../served-hub.ts'

const pair = { ...localCertificate, minVersion: 'TLSv1.2' } as const satisfies TlsPair

const app = (): Hono<RequestContext> => {
  const one = new Hono<RequestContext>()
  one.get('/', (c) => c.text('well'))
  return one
}

async function secured(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca: localCertificate.cert, servername: 'localhost' })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

async function textOf(socket: TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  if (!socket.closed) await once(socket, 'close')
  return text
}

test('a TLS connection that sends nothing, half a handshake or no request is closed in time', { timeout: 300_000 }, async () => {
  await using server = await servedApp(app(), { headersMs: 300 }, pair)
  const silent = await rawConnection(server.port)
  assert.equal(await silent.ended, '')
  const half = await rawConnection(server.port)
  half.write('\u0016\u0003\u0001')
  await half.ended
  const idle = await secured(server.port)
  assert.match(await textOf(idle), /^HTTP\/1\.1 408 /)
})

test('too many TLS connections of one address close the oldest, before and after its handshake', { timeout: 300_000 }, async () => {
  await using server = await servedApp(app(), { unprovedPerSource: 2 }, pair)
  const silent = await rawConnection(server.port)
  const first = await secured(server.port)
  const firstText = textOf(first)
  const second = await secured(server.port)
  // Plain text would break the handshake of the client.
  assert.equal(await silent.ended, '')
  const third = await secured(server.port)
  assert.match(await firstText, /^HTTP\/1\.1 429 /)
  second.write('GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n')
  assert.match(await textOf(second), /well$/)
  third.destroy()
  await server.openCount(0)
})

test('a TLS server with an unfinished handshake stops without waiting for it', { timeout: 10_000 }, async () => {
  await using server = await servedApp(app(), {}, pair)
  const silent = await rawConnection(server.port)
  const half = await rawConnection(server.port)
  half.write('\u0016\u0003\u0001')
  const open = await secured(server.port)
  await server.close()
  await Promise.all([silent.ended, half.ended, textOf(open)])
})
