import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { nativeFolder } from '../../tools/native-agent.ts'
import { parsePublicKeys } from '../src/text/public-keys.ts'
import type { HttpEvent, Runtime, RuntimeEvents, SshServerEvent, WsEnd } from '../src/runtime/runtime.ts'
import { nativeHost, type TestedHost } from '../test/conformance/tested-host.ts'
import { hubKey } from '../test/running-agent.ts'
import { SshHub } from '../test/ssh-client.ts'
import { connectTo, startMutatingProxy } from './mutating-proxy.ts'
import { corrupt, diceOf } from './mutations.ts'
import { authorityPath, httpPeer, socksPeer, tunnelPeer, webSocketPeer } from './peers.ts'

/** Number of broken connections on each path. */
const ROUNDS = process.env['VEDETTE_SOAK'] !== undefined ? 5_000 : 200
const AT_ONCE = 20
/** Timeouts of one connection: in the host, and in the test. A longer one means that the host hangs. */
const HOST_LIMIT_MS = 300
const ROUND_MS = 20_000
/** Limit of the host's peak memory: it must not allocate by a length that a peer claims. */
const MOST_MEBIBYTES = 64

const skip = existsSync(`${nativeFolder}/test-driver`) ? false : 'the native agent is not built'
const timeout = 2 * 3_600_000
const seed = randomInt(2 ** 31)

/** Runs rounds, some concurrently, and checks after each batch that the host still responds. */
async function breakHost(host: TestedHost, round: (id: number) => Promise<void>): Promise<void> {
  for (let done = 0; done < ROUNDS; done += AT_ONCE) {
    const lot = Array.from({ length: AT_ONCE }, (_, index) => round(10 + done + index))
    const late = AbortSignal.timeout(ROUND_MS)
    const gaveUp = new Promise<never>((_, reject) =>
      late.addEventListener('abort', () => reject(new Error(`Seed ${seed}: a connection of ${done} to ${done + AT_ONCE} does not end`))),
    )
    const died = host.exited.then((status) => Promise.reject(new Error(`Seed ${seed}, near ${done}: the host ended with ${status}`)))
    await Promise.race([Promise.all(lot).then(() => host.runtime.clock()), gaveUp, died])
  }
  const status = readFileSync(`/proc/${host.pid}/status`, 'utf8')
  const peakMebibytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
  console.log(`${ROUNDS} connections, seed ${seed}: at most ${peakMebibytes.toFixed(1)} MiB`)
  assert.ok(peakMebibytes < MOST_MEBIBYTES)
}

/** Resolves with the event that ends the operation with this id. */
function endings<Ending>(host: TestedHost, name: keyof RuntimeEvents, isEnd: (event: Ending) => boolean) {
  const waiting = new Map<number, (event: Ending) => void>()
  const listen = async (): Promise<never> => {
    for (;;) {
      const [id, event] = (await host.next(name)) as [number, Ending] // as the runtime's interface has it
      if (!isEnd(event)) continue
      waiting.get(id)?.(event)
      waiting.delete(id)
    }
  }
  void listen()
  return (id: number): Promise<Ending> => new Promise((resolve) => waiting.set(id, resolve))
}

for (const [what, over, through] of [
  ['frames of a WebSocket', 'plain', undefined],
  ['records of TLS', 'TLS', undefined],
  ['responses of a SOCKS proxy', 'plain', 'socks5h'],
  ['responses of an HTTP proxy', 'plain', 'http'],
] as const) {
  test(`hostile ${what} end their connection and nothing else`, { skip, timeout }, async () => {
    await using peer = await webSocketPeer(over)
    await using between = through === undefined ? undefined : await (through === 'http' ? tunnelPeer : socksPeer)(peer.port)
    await using proxy = await startMutatingProxy({ at: 0, peer: (between ?? peer).port, under: 'who connects', seed })
    await using host = await nativeHost({ env: { SSL_CERT_FILE: authorityPath } })
    const ended = endings<WsEnd>(host, 'onWsClose', () => true)
    // Consumes these events too; the test's host would otherwise keep them all.
    for (const name of ['onWsOpen', 'onWsMessage'] as const) endings<unknown>(host, name, () => false)
    const url = `${over === 'TLS' ? 'wss' : 'ws'}://localhost:${through === undefined ? proxy.place : peer.port}/p`
    const options = {
      connectDeadlineMs: HOST_LIMIT_MS,
      silenceMs: HOST_LIMIT_MS,
      maxMessageBytes: 1_000_000,
      ...(through === undefined ? {} : { proxy: `${through}://127.0.0.1:${proxy.place}` }),
    }
    const round = async (id: number): Promise<WsEnd> => {
      const end = ended(id)
      await host.runtime.wsOpen(id, url, [['X-Token', 't']], options)
      return end
    }
    await breakHost(host, async (id) => void (await round(id)))
    proxy.beHonest(true)
    assert.deepEqual(await round(1), { kind: 'closed', code: 1001, reason: 'going away' })
  })
}

test('hostile responses of an engine end their request and nothing else', { skip, timeout }, async () => {
  await using peer = await httpPeer()
  await using proxy = await startMutatingProxy({ at: 0, peer: peer.port, under: 'who connects', seed })
  await using host = await nativeHost({})
  const ended = endings<HttpEvent>(host, 'onHttp', ({ kind }) => kind === 'answer' || kind === 'end' || kind === 'failed')
  const round = async (id: number): Promise<HttpEvent> => {
    const end = ended(id)
    await host.runtime.http(id, {
      to: { kind: 'address', origin: `http://127.0.0.1:${proxy.place}` },
      method: 'GET',
      path: '/containers/json',
      headers: [],
      maxBytes: 100_000,
      deadlineMs: HOST_LIMIT_MS,
      stream: id % 3 === 0,
    })
    return end
  }
  await breakHost(host, async (id) => void (await round(id)))
  proxy.beHonest(true)
  // The first request may use a kept-alive connection that has just closed, as with any server; the agent retries then.
  await round(1)
  for (const id of [2, 4, 5, 7]) {
    const end = await round(id)
    assert.equal(end.kind, 'answer', end.kind === 'failed' ? end.reason : '')
  }
})

type SshOptions = Parameters<Runtime['sshListen']>[0]

/** The host's SSH server, which responds to every request. */
async function sshServer(host: TestedHost): Promise<number> {
  const options: SshOptions = {
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    identification: 'beszel_0.18.8+vedette.0.0.0',
    authorisedKeys: parsePublicKeys(hubKey.publicLine).keys,
    maxRequestBytes: 1000,
    silenceMs: HOST_LIMIT_MS,
  }
  assert.equal(await host.runtime.sshListen(options), null)
  const [event] = (await host.next('onSshServer')) as [SshServerEvent] // as the runtime's interface has it
  const answer = async (): Promise<never> => {
    for (;;) {
      const [requestId, , , ended] = (await host.next('onSsh')) as Parameters<RuntimeEvents['onSsh']>
      if (ended) await host.runtime.sshReply(requestId, Uint8Array.of(1), 0)
    }
  }
  void answer()
  return event.kind === 'listening' ? (event.port ?? 0) : 0
}

/** An internal function of ssh2: `finalize` receives each packet before it is encrypted. */
type Packets = { readonly _protocol: { readonly _packetRW: { write: { finalize: (packet: Uint8Array, force?: boolean) => Uint8Array } } } }

/** A hub that connects, sends a request and disconnects; `breakPacket` may change each packet before encryption. Never rejects. */
function sshTalk(port: number, breakPacket: (packet: Uint8Array) => void): Promise<void> {
  return new Promise((resolve) => {
    const client = new ssh2.Client()
    const socket = connectTo(port)
    socket.once('close', () => resolve())
    const quit = () => socket.destroy()
    client.on('error', quit)
    client.on('close', quit)
    client.on('ready', () =>
      client.shell(false, {}, (error, channel) => {
        if (error) {
          quit()
          return
        }
        channel.on('close', quit)
        channel.on('error', quit)
        channel.end(Buffer.from('ask'))
      }),
    )
    client.connect({ sock: socket, username: 'u', privateKey: hubKey.privateText, ident: 'beszel_0.18.8', readyTimeout: 2 * HOST_LIMIT_MS })
    const { write } = (client as unknown as Packets)._protocol._packetRW // ssh2 has no other way to send what is wrong
    const finalize = write.finalize.bind(write)
    write.finalize = (packet, force) => {
      breakPacket(packet)
      return finalize(packet, force)
    }
  })
}

test('hostile SSH packets end a connection and nothing else', { skip, timeout }, async () => {
  await using host = await nativeHost({})
  const port = await sshServer(host)
  await using proxy = await startMutatingProxy({ at: 0, peer: port, under: 'peer', seed })
  await breakHost(host, () => sshTalk(Number(proxy.place), () => undefined))
  await using hub = await SshHub.connect(port, hubKey.privateText)
  assert.equal((await hub.shell(new Uint8Array(), { end: true })).exitStatus, 0)
})

test('hostile SSH messages inside valid packets end their connection and nothing else', { skip, timeout }, async () => {
  await using host = await nativeHost({})
  const port = await sshServer(host)
  await breakHost(host, (id) => {
    const dice = diceOf(seed + id)
    // Starts at a random packet: the packets before it must be valid to reach the code that reads it.
    let packets = dice(12)
    return sshTalk(port, (packet) => {
      packets -= 1
      if (packets < 0 && dice(2) === 0) corrupt(packet.subarray(5), dice)
    })
  })
  await using hub = await SshHub.connect(port, hubKey.privateText)
  assert.equal((await hub.shell(new Uint8Array(), { end: true })).exitStatus, 0)
})
