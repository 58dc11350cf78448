import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import ssh2 from 'ssh2'
import { fromHex, readRecording } from '../../protocol/test/recorded.ts'
import { generateHostKey } from '../src/runtime/node/ssh-server.ts'
import { agentHost } from './agent-host.ts'
import { hubKey, RunningAgent } from './running-agent.ts'
import { SshHub } from './ssh-client.ts'
import { sshPacket } from './ssh-packet.ts'

const agent = RunningAgent.start({ LISTEN: '127.0.0.1:0' })
after(async () => (await agent)[Symbol.asyncDispose]())

const request = fromHex('a2000001a20019ea6001f5')
const IDENTIFICATION = 'SSH-2.0-test\r\n'
const message = { disconnect: 1, ignore: 2, unimplemented: 3, debug: 4, serviceRequest: 5, newKeys: 21 } as const
/** RFC 4253 section 11.1. */
const reason = { protocolError: 2, keyExchangeFailed: 3, tooManyConnections: 12, noMoreAuthMethods: 14 } as const
/** The agent's limit of unauthenticated connections per address. */
const UNPROVED_OF_SOURCE = 256

/** Everything that the agent sends until it closes. A reset after that is ignored. */
function heardUntilClosed(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.on('error', () => undefined)
  return new Promise((resolve) => void socket.on('close', () => resolve(Buffer.concat(pieces))))
}

/** The reason of the DISCONNECT message at the end of the unencrypted data. */
function disconnectReason(heard: Buffer): number | undefined {
  let offset = heard.indexOf('\r\n') + 2
  let last: Buffer | undefined
  while (offset + 4 <= heard.length) {
    const length = heard.readUInt32BE(offset)
    last = heard.subarray(offset + 5, offset + 4 + length)
    offset += 4 + length
  }
  return last?.[0] === message.disconnect ? last.readUInt32BE(1) : undefined
}

async function dial(from = '127.0.0.3'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: await (await agent).sshPort(), localAddress: from, noDelay: true })
  await once(socket, 'connect')
  return socket
}

async function refused(...sent: readonly (string | Uint8Array)[]): Promise<number | undefined> {
  const socket = await dial()
  const heard = heardUntilClosed(socket)
  for (const piece of sent) socket.write(piece)
  return disconnectReason(await heard)
}

for (const [what, number] of Object.entries(message).filter(([name]) => name !== 'disconnect')) {
  test(`ssh server refuses ${what} before KEXINIT as a protocol error`, async () => {
    assert.equal(await refused(IDENTIFICATION, sshPacket(Uint8Array.of(number, 0, 0, 0, 0))), reason.protocolError)
  })
}

test('ssh server refuses an invalid identification, and an identification without end', async () => {
  assert.equal(await refused('GET / HTTP/1.1\r\n\r\n'), reason.protocolError)
  assert.equal(await refused('SSH-2.0-\u001b[2J\r\n'), reason.protocolError)
  assert.equal(await refused(`SSH-2.0-${'x'.repeat(255)}`), reason.protocolError)
})

test('ssh server accepts an identification in single bytes, and with trailing spaces', async () => {
  await using hub = await SshHub.connect(await (await agent).sshPort(), hubKey.privateText, 'beszel_0.18.8  ')
  assert.equal((await hub.shell(request, { end: true })).exitStatus, 0)
  const socket = await dial()
  const heard = once(socket, 'data')
  for (const character of IDENTIFICATION) socket.write(character)
  await heard
  socket.destroy()
})

test('ssh server refuses a client without strict key exchange', async () => {
  const { kexinit_payload_hex: hex } = readRecording<{ kexinit_payload_hex: string }>('hub-link/ssh/head/handshake.json')
  const strict = Buffer.from(fromHex(hex))
  const lax = Buffer.from(strict.toString('latin1').replace('kex-strict-c', 'kex-absent-c'), 'latin1')
  assert.notDeepEqual(lax, strict)
  assert.equal(await refused(IDENTIFICATION, sshPacket(lax)), reason.keyExchangeFailed)
})

test('ssh server closes the oldest connection of an address with too many, and accepts the newest', async () => {
  await using hub = await SshHub.connect(await (await agent).sshPort(), hubKey.privateText)
  const first = await dial('127.0.0.4')
  const heard = heardUntilClosed(first)
  const others: Socket[] = []
  while (others.length < UNPROVED_OF_SOURCE) others.push(await dial('127.0.0.4'))
  assert.equal(disconnectReason(await heard), reason.tooManyConnections)
  // Connections of another address do not count, and the newest connection is served.
  const elsewhere = await dial('127.0.0.5')
  await once(elsewhere, 'data')
  const newest = await dial('127.0.0.4')
  await once(newest, 'data')
  assert.equal((await hub.shell(request, { end: true })).exitStatus, 0)
  for (const socket of [...others, elsewhere, newest]) socket.destroy()
})

/** Sends `text` on new connections from an address. The result counts those that the agent closed. */
async function dialMany(count: number, from: string, text: string): Promise<Disposable & { readonly closed: () => number }> {
  const sockets: Socket[] = []
  let closed = 0
  while (sockets.length < count) {
    const socket = await dial(from)
    void heardUntilClosed(socket).then(() => closed++)
    socket.write(text)
    sockets.push(socket)
  }
  return {
    closed: () => closed,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

// The native host refuses at once, because a refusal costs it little.
if (agentHost === 'node') {
  test('ssh server delays the refusals of an address with many connections, and refuses another address at once', async () => {
    using flood = await dialMany(200, '127.0.0.6', 'GET / HTTP/1.1\r\n\r\n')
    assert.equal(await refused('GET / HTTP/1.1\r\n\r\n'), reason.protocolError)
    assert.ok(flood.closed() < 200, `${flood.closed()} closed`)
  })

  test('ssh server delays the close of evicted silent connections, and accepts the newest', async () => {
    using flood = await dialMany(UNPROVED_OF_SOURCE + 300, '127.0.0.8', '')
    const newest = await dial('127.0.0.8')
    await once(newest, 'data')
    newest.destroy()
    assert.ok(flood.closed() < 200, `${flood.closed()} closed`)
  })
}

test('ssh server closes a connection that repeats authentication requests of type "none"', async () => {
  const client = new ssh2.Client()
  let requests = 0
  const failure = new Promise<Error>((resolve) => client.on('error', resolve))
  client.connect({
    host: '127.0.0.1',
    port: await (await agent).sshPort(),
    username: 'u',
    authHandler: (_left, _partial, next) => {
      requests++
      next('none')
    },
  })
  assert.equal(Reflect.get(await failure, 'code'), reason.noMoreAuthMethods)
  assert.ok(requests > 1 && requests <= 11, `${requests} requests`)
})

test('ssh server logs one line for all refused keys of an address', async () => {
  await using own = await RunningAgent.start({ LISTEN: '127.0.0.1:0' })
  const port = await own.sshPort()
  const stranger = generateHostKey(ssh2)
  for (let count = 0; count < 5; count++) await assert.rejects(SshHub.connect(port, stranger), /authentication/i)
  await own.line('Refused an SSH client')
  await using hub = await SshHub.connect(port, hubKey.privateText)
  await hub.shell(request, { end: true })
  assert.equal(own.lines.filter(({ text }) => text.includes('Refused')).length, 1)
})
