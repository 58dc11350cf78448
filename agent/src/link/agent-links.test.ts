import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encodeRequest } from '@vedette/protocol/wire/request'
import { fromHex } from '../../../protocol/test/recorded.ts'
import { startAgent } from '../agent.ts'
import { readConfig } from '../config/config.ts'
import { encodedBytes } from './requests.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import type { Runtime, RuntimeEvents, WsEnd } from '../runtime/runtime.ts'

const TOKEN = 'test-token'
const keyText = (name: string): string =>
  readFileSync(new URL(`../../../protocol/vectors/agent/test-only-keys/${name}`, import.meta.url), 'utf8')
/** Ed25519 signature of the token by the hub's key, made with OpenSSL. RFC 8032 signatures are deterministic. */
const signature = fromHex(
  'd24301ce8fa41c26f5083fe0c60ee3ad5b2e5e463b7c8dcc6949f15bc1405c564b5dde5dd6f8e72b9fbaad9b4a338633df26329f657733f22d150c35e4092708',
)
const proof = encodedBytes(encodeRequest({ id: 1, request: { action: 'fingerprint', signature, needSystemInfo: false } }), byteTools)

/** The agent on an in-memory host whose clock the test advances. The test plays the hub and the network. */
function agentWithoutNetwork(env: Readonly<Record<string, string>> = {}) {
  const memory = memoryRuntime({
    files: {},
    env: { KEY: keyText('hub_ed25519.pub'), TOKEN, HUB_URL: 'https://hub.example.org', DOCKER_HOST: '', DATA_DIR: '/data', ...env },
    bytes: byteTools,
  })
  const dials: { readonly id: number; readonly atMs: number }[] = []
  const exits: number[] = []
  const hubSide = { sent: 0, closedByAgent: 0, ssh: false }
  let heard: RuntimeEvents | undefined
  const nowMs = (): number => memory.runtime.clock().monotonicMs
  const ended = (id: number, end: WsEnd): void => heard?.onWsClose(id, end)
  const runtime: Runtime = {
    ...memory.runtime,
    bytes: { ...byteTools, random: (count) => new Uint8Array(count) },
    listen: (events) => {
      heard = events
      memory.runtime.listen(events)
    },
    wsOpen: (id) => void dials.push({ id, atMs: nowMs() }),
    wsSend: () => void hubSide.sent++,
    wsClose: (id, code) => {
      hubSide.closedByAgent++
      ended(id, { kind: 'closed', code, reason: '' })
    },
    sshListen: () => {
      hubSide.ssh = true
      return null
    },
    sshClose: () => {
      hubSide.ssh = false
    },
    sshReply: () => undefined,
    exit: (code) => void exits.push(code),
  }
  const config = readConfig(runtime)
  assert.ok(config.kind === 'run')
  startAgent(runtime, config.config)
  const last = (): { readonly id: number; readonly atMs: number } => dials.at(-1) ?? { id: -1, atMs: -1 }
  return {
    hubSide,
    exits,
    dials,
    last,
    advance: memory.advance,
    logged: memory.logged,
    accept: () => heard?.onWsOpen(last().id),
    prove: () => heard?.onWsMessage(last().id, proof),
    ask: () => heard?.onWsMessage(last().id, fromHex('a200090202')),
    end: (end: WsEnd) => ended(last().id, end),
    pollOverSsh: () => heard?.onSsh(1, 'SSH-2.0-beszel_0.18.8', fromHex('a2000001a20019ea6001f5'), true),
  }
}

const dropped: WsEnd = { kind: 'closed', code: 1006, reason: 'the connection broke' }

test('bug class 11: startAgent reconnects after its socket closes before the hub proves its identity again', () => {
  const { accept, prove, end, advance, dials, last, hubSide } = agentWithoutNetwork()
  accept()
  prove()
  assert.deepEqual([hubSide.sent, hubSide.ssh], [1, false])
  advance(6500)
  end({ kind: 'closed', code: 1000, reason: '' })
  assert.deepEqual([dials.length, last().atMs], [2, 6500])
  accept()
  advance(1000)
  end(dropped)
  assert.equal(hubSide.ssh, true, 'the hub can come over SSH meanwhile')
  advance(8000)
  assert.deepEqual([dials.length, last().atMs], [3, 11_500])
  accept()
  prove()
  assert.equal(hubSide.ssh, false)
})

test('startAgent waits at least 5 s before a new connection to a hub that refuses its fingerprint', () => {
  const { accept, prove, end, advance, dials } = agentWithoutNetwork()
  for (let round = 0; round < 4; round++) {
    accept()
    prove()
    end({ kind: 'closed', code: 1000, reason: 'fingerprint mismatch' })
    advance(5000)
  }
  assert.deepEqual(
    dials.map(({ atMs }) => atMs),
    [0, 5000, 10_000, 15_000, 20_000],
  )
})

for (const status of [400, 401, 502]) {
  test(`startAgent starts its SSH server after HTTP ${status}, retries the connection, and logs the reason once`, () => {
    const { end, advance, dials, hubSide, logged } = agentWithoutNetwork()
    for (let round = 0; round < 3; round++) {
      end({ kind: 'refused', status, body: status === 401 ? 'Invalid token' : '' })
      advance(9000)
    }
    assert.equal(hubSide.ssh, true)
    assert.deepEqual(
      dials.map(({ atMs }) => atMs),
      [0, 9000, 18_000, 27_000],
    )
    assert.equal(logged.filter(({ text }) => text.includes('The hub refused this agent')).length, 1)
  })
}

test('startAgent closes a socket whose hub does not prove its identity, starts its SSH server, and retries', () => {
  const { accept, advance, dials, hubSide } = agentWithoutNetwork()
  accept()
  advance(15_000)
  assert.deepEqual([hubSide.closedByAgent, hubSide.ssh, hubSide.sent], [1, true, 0])
  advance(5000)
  assert.equal(dials.length, 2)
})

test('startAgent connects again after the hub sent no poll over SSH for 70 s', () => {
  const { end, advance, dials, pollOverSsh, last } = agentWithoutNetwork()
  end({ kind: 'failed', reason: 'refused' })
  advance(2000)
  pollOverSsh()
  advance(69_999)
  assert.equal(dials.length, 1)
  advance(1)
  assert.deepEqual([dials.length, last().atMs], [2, 72_000])
})

test('bug class 11: startAgent still retries twice a minute after hours of failures', () => {
  const { end, advance, dials } = agentWithoutNetwork()
  for (let round = 0; round < 500; round++) {
    end({ kind: 'failed', reason: 'no route to host' })
    advance(30_000)
  }
  assert.equal(dials.length, 501)
})

test('startAgent requires a new proof of identity on every connection', () => {
  const { accept, prove, ask, end, advance, hubSide } = agentWithoutNetwork()
  accept()
  prove()
  ask()
  assert.equal(hubSide.sent, 2)
  end(dropped)
  advance(5000)
  accept()
  ask()
  assert.equal(hubSide.sent, 2)
})

test('startAgent exits after a failed name lookup only if EXIT_ON_DNS_ERROR is set', () => {
  const patient = agentWithoutNetwork()
  patient.end({ kind: 'failed', reason: 'getaddrinfo ENOTFOUND', nameNotFound: true })
  assert.deepEqual(patient.exits, [])
  const told = agentWithoutNetwork({ EXIT_ON_DNS_ERROR: 'true' })
  told.end({ kind: 'failed', reason: 'connection refused' })
  assert.deepEqual(told.exits, [])
  told.advance(11_000)
  told.end({ kind: 'failed', reason: 'getaddrinfo ENOTFOUND', nameNotFound: true })
  assert.deepEqual(told.exits, [1])
})
