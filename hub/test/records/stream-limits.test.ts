import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardStreamLimits } from '../../src/records/realtime/stream-limits.ts'
import { get, rawConnection, type RawConnection } from '../raw-connection.ts'
import { servedHub } from '../served-hub.ts'

const ABUSER = '127.0.0.2'

async function openStream(port: number, localAddress?: string): Promise<{ readonly stream: RawConnection; readonly clientId: string }> {
  const stream = await rawConnection(port, localAddress)
  stream.write(get('/api/realtime'))
  const text = await stream.reads(/"clientId":"[^"]+"|"status":\d+/)
  return { stream, clientId: /"clientId":"([^"]+)"/.exec(text)?.[1] ?? '' }
}

async function subscribe(port: number, clientId: string, authorization: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/realtime`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, subscriptions: ['systems/*'] }),
  })
}

test('guests of one address may hold 256 event streams; another one ends the oldest, and other clients are not affected', async () => {
  await using hub = await servedHub()
  const { guestsPerAddress } = standardStreamLimits
  const held: RawConnection[] = []
  for (let at = 0; at < guestsPerAddress; at++) held.push((await openStream(hub.port, ABUSER)).stream)
  const signedIn = await openStream(hub.port, ABUSER)
  assert.equal((await subscribe(hub.port, signedIn.clientId, await hub.tokenOf('alice'))).status, 204)
  await held[0]?.ended
  const other = await openStream(hub.port)
  const newest = await openStream(hub.port, ABUSER)
  await openStream(hub.port, ABUSER)
  await held[1]?.ended
  for (const { stream } of [signedIn, other, newest]) assert.ok(stream.isOpen())
})

test('an account may hold 1000 event streams from one address; the next subscription gets 429', { timeout: 300_000 }, async () => {
  await using hub = await servedHub()
  const authorization = await hub.tokenOf('alice')
  const { perAccount } = standardStreamLimits
  assert.equal(perAccount, 1000)
  for (let at = 0; at < perAccount; at++) {
    const { clientId } = await openStream(hub.port)
    assert.equal((await subscribe(hub.port, clientId, authorization)).status, 204)
  }
  const { clientId } = await openStream(hub.port)
  const refused = await subscribe(hub.port, clientId, authorization)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])
  assert.equal((await subscribe(hub.port, clientId, await hub.tokenOf('bob'))).status, 204)
})

test('guests of all addresses together have a limit of event streams; another one ends the oldest', async () => {
  await using hub = await servedHub({ streamLimits: { ...standardStreamLimits, guests: 3 } })
  const guests = [await openStream(hub.port, '127.0.0.2'), await openStream(hub.port, '127.0.0.3'), await openStream(hub.port, '127.0.0.4')]
  await fetch(`http://127.0.0.1:${hub.port}/api/health`)
  assert.ok(guests[0]?.stream.isOpen())
  const newest = await openStream(hub.port, '127.0.0.5')
  await guests[0]?.stream.ended
  for (const { stream } of [...guests.slice(1), newest]) assert.ok(stream.isOpen())
})

test('all event streams together have a limit above that of guests; another one gets 429', async () => {
  await using hub = await servedHub({ streamLimits: { guestsPerAddress: 2, guests: 2, perAccount: 10, all: 4 } })
  const authorization = await hub.tokenOf('alice')
  for (let at = 0; at < 4; at++) {
    assert.equal((await subscribe(hub.port, (await openStream(hub.port)).clientId, authorization)).status, 204)
  }
  const refused = await fetch(`http://127.0.0.1:${hub.port}/api/realtime`)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])
})
