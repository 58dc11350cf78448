import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPeerLimits } from '../../src/platform/http/peer-limits.ts'
import { agentUpgrade, get, rawConnection, rawConnections, SWITCHED, type RawConnection } from '../raw-connection.ts'
import { runningHub } from '../running-hub.ts'
import { servedHub } from '../served-hub.ts'
import { databases, silentLog } from '../databases.ts'

const [kind] = databases
assert.ok(kind)

const HEALTH = get('/api/health')
const OK = /^HTTP\/1\.1 200 /
const TOO_MANY = /^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: 1\r\n/
const ABUSER = '127.0.0.2'

const isServed = async (one: RawConnection | undefined): Promise<void> => {
  one?.write(HEALTH)
  assert.match((await one?.reads(/\}/)) ?? '', OK)
}

test('an address may hold a limited number of unauthenticated connections; another one closes the oldest, never the newest', async () => {
  const unprovedPerSource = 512
  await using hub = await servedHub({ limits: { unprovedPerSource } })
  const held = await rawConnections(unprovedPerSource, hub.port, ABUSER)
  // At the limit, the oldest connection and another address are still served.
  await isServed(held[0])
  await isServed(await rawConnection(hub.port, '127.0.0.3'))
  const newest = await rawConnection(hub.port, ABUSER)
  await held[0]?.ended
  await isServed(newest)
  await isServed(held[1])
  const next = await rawConnection(hub.port, ABUSER)
  await held[1]?.ended
  assert.equal(held[2]?.isOpen(), true)
  assert.equal(next.isOpen(), true)
})

test('the limit applies to the hub’s own address, too, and a closed idle connection gets 429 with Retry-After', async () => {
  await using hub = await servedHub({ limits: { unprovedPerSource: 5 } })
  const held = await rawConnections(5, hub.port)
  assert.deepEqual(
    held.map((one) => one.isOpen()),
    Array(5).fill(true),
  )
  const newest = await rawConnection(hub.port)
  assert.match((await held[0]?.ended) ?? '', TOO_MANY)
  await isServed(newest)
})

test('unauthenticated connections of all addresses together have a limit', async () => {
  await using hub = await servedHub({ limits: { unproved: 20 } })
  const held = await Promise.all(Array.from({ length: 20 }, (_, at) => rawConnection(hub.port, `127.0.1.${at + 1}`)))
  for (const one of held) await isServed(one)
  await isServed(await rawConnection(hub.port, '127.0.2.1'))
  await Promise.race(held.map(({ ended }) => ended))
  assert.equal(held.filter((one) => !one.isOpen()).length, 1)
})

test('a connection with a session counts for its account, and survives a flood from its address', async () => {
  await using hub = await servedHub({ limits: { unprovedPerSource: 5, connectionsPerAccount: 3 } })
  const authorization = await hub.tokenOf('alice')
  const signedIn = async (): Promise<RawConnection> => {
    const one = await rawConnection(hub.port)
    one.write(get('/api/collections/systems/records', { authorization }))
    assert.match(await one.reads(/\]/), OK)
    return one
  }
  const [oldest, ...others] = [await signedIn(), await signedIn(), await signedIn()]
  const flood = await rawConnections(15, hub.port)
  await flood[9]?.ended
  assert.deepEqual(
    [oldest, ...others].map((one) => one?.isOpen()),
    [true, true, true],
  )
  await signedIn()
  await oldest?.ended
  assert.deepEqual(
    others.map((one) => one.isOpen()),
    [true, true],
  )
})

test(
  '3000 agents that dial at once from one address are admitted, and stay connected while the address floods the hub',
  { timeout: 300_000 },
  async () => {
    await using hub = await runningHub(kind)
    const port = Number(new URL(hub.address).port)
    const { id } = (await hub.call(hub.admin.token, 'GET /api/beszel/universal-token?enable=1&token=one-for-all')).body
    assert.equal(id, undefined)
    const agents = await Promise.all(
      Array.from({ length: 3000 }, async () => {
        const one = await rawConnection(port)
        one.write(agentUpgrade('one-for-all'))
        return one
      }),
    )
    await Promise.all(agents.map(async (one) => assert.match(await one.reads(/\r\n\r\n/), SWITCHED)))
    const flood = await rawConnections(standardPeerLimits.unprovedPerSource + 1, port)
    await flood[0]?.ended
    // These agents never identify themselves. On a busy machine the hub may have closed some by now, with a reason.
    for (const one of agents) if (!one.isOpen()) assert.match(await one.ended, /The agent did not answer within/)
  },
)

test('agents with wrong tokens get 401, and the log has one line about them', async () => {
  const logged: string[] = []
  await using hub = await runningHub(kind, [], (message) => logged.push(message))
  const port = Number(new URL(hub.address).port)
  for (let at = 0; at < 3; at++) {
    const one = await rawConnection(port, ABUSER)
    one.write(agentUpgrade(`guess ${at}`))
    assert.match(await one.ended, /^HTTP\/1\.1 401 /)
  }
  assert.deepEqual(logged.filter((message) => message === 'agent refused').length, 1)
})

test('behind a trusted proxy the clients are counted, not the proxy’s connections', async () => {
  const limits = { unprovedPerSource: 3 }
  await using hub = await servedHub({ limits, proxies: ['127.0.0.1/32'] })
  const kept = await rawConnections(10, hub.port)
  for (const [at, one] of kept.entries()) {
    one.write(get('/api/health', { 'x-forwarded-for': `198.51.100.${at}` }))
    assert.match(await one.reads(/\}/), OK)
  }
  // Requests that take long, because their bodies do not arrive.
  const slow = (client: string): string =>
    `POST /api/collections/users/auth-with-password HTTP/1.1\r\nHost: hub\r\nX-Forwarded-For: ${client}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{'
  const [first, second, third, fourth, other] = kept
  for (const one of [first, second, third]) one?.write(slow('192.0.2.1'))
  other?.write(slow('192.0.2.2'))
  fourth?.write(slow('192.0.2.1'))
  assert.match((await first?.ended) ?? '', /HTTP\/1\.1 429 [^]*retry-after: 1\r\n/i)
  assert.deepEqual(
    [second, third, fourth, other].map((one) => one?.isOpen()),
    [true, true, true, true],
  )
})

test('closed connections are logged once a minute and address', async () => {
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (message: string, fields?: object) => void warnings.push({ message, ...fields }) }
  await using hub = await servedHub({ limits: { unprovedPerSource: 2 }, log })
  const held = await rawConnections(8, hub.port, ABUSER)
  await held[5]?.ended
  assert.deepEqual(warnings, [{ message: 'connection closed: too many connections from its address or account', address: ABUSER }])
})

test('forwarding headers of an address that is not a trusted proxy are reported once, in the log and to admins', async () => {
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (message: string, fields?: object) => void warnings.push({ message, ...fields }) }
  await using hub = await servedHub({ log, proxies: ['127.0.0.3/32'] })
  const authorization = await hub.tokenOf('super')
  const ask = async (address: string, header: Readonly<Record<string, string>>) => {
    const one = await rawConnection(hub.port, address)
    one.write(get('/api/vedette/hub-health', { ...header, authorization, connection: 'close' }))
    return (await one.ended).replace(/^[^]*?\r\n\r\n/, '')
  }
  await ask('127.0.0.3', { 'x-forwarded-for': '192.0.2.1' })
  await ask('127.0.0.1', {})
  assert.deepEqual(warnings, [])
  for (const header of ['x-real-ip', 'x-forwarded-for']) await ask(ABUSER, { [header]: '192.0.2.1' })
  const found = { address: ABUSER, header: 'x-real-ip' }
  assert.deepEqual(warnings, [{ message: 'forwarding header ignored: its sender is not a trusted proxy', ...found }])
  const told = JSON.parse(await ask('127.0.0.1', {})) as { readonly untrustedForwarding: readonly { readonly firstAtMs: number }[] } // the response of the route
  assert.deepEqual(told.untrustedForwarding, [{ ...found, firstAtMs: told.untrustedForwarding[0]?.firstAtMs }])
})
