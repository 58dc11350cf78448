import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { databases } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { httpPeer } from '../http-peer.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { get, rawConnection } from '../raw-connection.ts'
import { behavingSshAgent, bytesOf, finish, machineSample } from '../scripted-agent.ts'
import { idOf, RECORDS, startedHub, startedIn } from '../started-hub.ts'

type Stage = {
  readonly hub: Awaited<ReturnType<typeof startedHub>>
  readonly token: string
  readonly admin: string
  /** Disposes the peers of the hub. */
  readonly stack: AsyncDisposableStack
}

async function stage(environment: Readonly<Record<string, string>> = {}): Promise<Stage & AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  const hub = stack.use(await startedHub(environment))
  const { body } = await hub.signIn()
  return { hub, stack, token: String(body['token']), admin: idOf(body), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A server that accepts connections and never sends a byte. */
async function silentServer() {
  const { promise: wasAsked, resolve } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    resolve()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return { port, wasAsked, [Symbol.dispose]: () => server.close() }
}

async function send({ hub, token }: Stage, request: string, body?: object) {
  const [method = '', path = ''] = request.split(' ')
  const answer = await hub.call(token, method, path, body)
  assert.ok(answer.status < 300, `${request}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const addSystem = async (stage: Stage, name: string, port: number): Promise<string> =>
  String((await send(stage, `POST ${RECORDS}`, { name, host: '127.0.0.1', port: String(port), users: [stage.admin] }))['id'])

/** Makes an alert fire whose only channel is this address. */
async function fireAlert(stage: Stage, address: string): Promise<void> {
  const { id } = await send(stage, 'POST /api/collections/user_settings/records', { user: stage.admin })
  await send(stage, `PATCH /api/collections/user_settings/records/${String(id)}`, { settings: { emails: [], webhooks: [address] } })
  const { key } = await send(stage, 'GET /api/beszel/getkey')
  const { promise: alertIsSet, resolve: measure } = Promise.withResolvers<void>()
  const document = encodeDocument({ ...machineSample, cpu: { busyPercent: 97 } })
  const agent = await behavingSshAgent(String(key), {
    behave: async (channel, asked) => {
      await asked
      await alertIsSet
      finish(channel, bytesOf(encodeEnvelope({ kind: 'document', document })))
    },
  })
  stage.stack.use(agent)
  const system = await addSystem(stage, 'busy', agent.port)
  await send(stage, 'POST /api/collections/alerts/records', { user: stage.admin, system, name: 'CPU', value: 80, min: 1 })
  measure()
}

const gotifyAt = (port: number): string => `gotify://127.0.0.1:${port}/AzyoeNS.D4iJLVa?disabletls=yes`

/** Sends the headers of a request and, once the hub reads its body, a part of the body. */
async function sendHalf({ hub, token }: Stage, path: string, type: string, half: string): Promise<void> {
  const client = await rawConnection(Number(new URL(hub.address).port))
  const head = `Host: hub\r\nAuthorization: ${token}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\nExpect: 100-continue`
  client.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
  await client.reads(/^HTTP\/1\.1 100 /)
  client.write(half)
}

async function silentMailServer(stage: Stage) {
  const silent = stage.stack.use(await silentServer())
  const smtp = { enabled: true, host: '127.0.0.1', port: silent.port }
  await send(stage, 'PATCH /api/settings', { smtp, meta: { senderAddress: 'tower@example.com' } })
  return silent
}

/** Peers that a hub may wait for when it is stopped. Each resolves while the hub waits. */
const meetings: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'an agent that never responds'(stage) {
    await send(stage, 'GET /api/beszel/universal-token?enable=1&permanent=1&token=token-of-all')
    const { promise: isSilent, resolve } = Promise.withResolvers<void>()
    framingAgent({
      url: `${stage.hub.address.replace('http', 'ws')}/api/beszel/agent-connect`,
      token: 'token-of-all',
      answer({ request, id }) {
        if (request.action === 'fingerprint')
          return [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'one', hostname: 'one' } }, id))]
        resolve()
        return []
      },
    })
    await isSilent
  },
  async 'a server that accepts an SSH connection and sends nothing'(stage) {
    const silent = stage.stack.use(await silentServer())
    await addSystem(stage, 'silent', silent.port)
    await silent.wasAsked
  },
  async 'an agent over SSH that hangs after its login'(stage) {
    const { key } = await send(stage, 'GET /api/beszel/getkey')
    const { promise: wasAsked, resolve } = Promise.withResolvers<void>()
    const agent = await behavingSshAgent(String(key), { behave: (_, asked) => asked.then(() => resolve()) })
    stage.stack.use(agent)
    await addSystem(stage, 'hanging', agent.port)
    await wasAsked
    agent.freeze()
  },
  async 'a mail server that sends nothing'(stage) {
    const silent = await silentMailServer(stage)
    await send(stage, 'POST /api/collections/users/request-password-reset', { email: 'admin@example.com' })
    await silent.wasAsked
  },
  async 'a mail server that sends nothing to a test email'(stage) {
    const silent = await silentMailServer(stage)
    send(stage, 'POST /api/settings/test/email', { email: 'admin@example.com', template: 'verification' }).catch(() => {})
    await silent.wasAsked
  },
  async 'a notification service that sends nothing'(stage) {
    const silent = stage.stack.use(await silentServer())
    await fireAlert(stage, gotifyAt(silent.port))
    await silent.wasAsked
  },
  'a client with an incomplete body': (stage) => sendHalf(stage, RECORDS, 'application/json', '{"name":'),
  'a client with an incomplete upload of a backup': (stage) =>
    sendHalf(
      stage,
      '/api/backups/upload',
      'multipart/form-data; boundary=part',
      '--part\r\nContent-Disposition: form-data; name="file"; filename="one.zip"\r\n\r\nPK',
    ),
  async 'an open event stream'({ hub }) {
    const client = await rawConnection(Number(new URL(hub.address).port))
    client.write(get('/api/realtime'))
    await client.reads(/PB_CONNECT/)
  },
  async 'a backup in progress'(stage) {
    const database = new DatabaseSync(join(stage.hub.data, 'vedette.sqlite'), { timeout: 10_000 })
    database.exec('create table large (part blob)')
    // One large write would lock the hub's own writes out for seconds on a busy machine.
    for (let part = 0; part < 50; part++) database.exec('insert into large values (randomblob(2000000))')
    database.close()
    send(stage, 'POST /api/backups', { name: 'one.zip' }).catch(() => {})
    for (let isCopied = false; !isCopied;) {
      const { working } = await send(stage, 'GET /api/vedette/backups')
      isCopied = (working as { readonly doneBytes?: number } | null)?.doneBytes !== undefined // the route's response
    }
  },
}

for (const [name, meet] of Object.entries(meetings)) {
  test(`a hub stops although it waits for ${name}`, { timeout: 300_000 }, async () => {
    await using met = await stage()
    await meet(met)
    assert.deepEqual(await met.hub.stop(), { status: 0, complaints: '' })
  })
}

test('a hub stops although it waits for all of these peers at once', { timeout: 300_000 }, async () => {
  await using met = await stage()
  for (const meet of Object.values(meetings)) await meet(met)
  assert.equal((await met.hub.stop()).status, 0)
})

test('a hub stops although it waits for the receiver of its heartbeats', { timeout: 300_000 }, async () => {
  using silent = await silentServer()
  await using met = await stage({ VEDETTE_HEARTBEAT_URL: `http://127.0.0.1:${silent.port}/` })
  await silent.wasAsked
  assert.deepEqual(await met.hub.stop(), { status: 0, complaints: '' })
})

test('a hub stops although pg_dump hangs', { timeout: 300_000 }, async () => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using place = await postgres.ready()
  assert.ok('url' in place.at)
  const programs = makeMemoryFolder('vedette-programs-')
  // The program ignores every signal that it can ignore.
  const hanging = `#!/bin/sh\ntrap '' TERM INT HUP\ntouch ${programs}/started\nwhile :; do sleep 1; done\n`
  writeFileSync(join(programs, 'pg_dump'), hanging, { mode: 0o755 })
  const path = `${programs}${delimiter}${process.env['PATH']}`
  await using met = await stage({ VEDETTE_DATABASE: place.at.url, PATH: path })
  send(met, 'POST /api/backups', { name: 'one.zip' }).catch(() => {})
  while (!existsSync(join(programs, 'started'))) await send(met, 'GET /api/vedette/backups')
  assert.deepEqual(await met.hub.stop(), { status: 0, complaints: '' })
  rmSync(programs, { recursive: true })
})

test('a notification that a stop has cancelled is sent after the next start', { timeout: 300_000 }, async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using receiver = await httpPeer((_, before) => {
    if (before > 0) second.resolve()
    else first.resolve()
    return before > 0 ? { status: 200 } : new Promise(() => {})
  })
  await using met = await stage()
  await fireAlert(met, gotifyAt(receiver.port))
  await first.promise
  assert.deepEqual(await met.hub.stop(), { status: 0, complaints: '' })
  await using again = await startedIn(met.hub.data)
  await second.promise
  assert.equal((await again.stop()).status, 0)
})
