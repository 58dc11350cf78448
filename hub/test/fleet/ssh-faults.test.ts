import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import type { CborValue } from '@vedette/protocol/cbor/value'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { dialAgent } from '../../src/fleet/ssh/agent-ssh.ts'
import { generatePrivateKey } from '../../src/fleet/ssh/hub-key.ts'
import { databases } from '../databases.ts'
import { readLinkVector } from '../recorded-link.ts'
import { fleetOn, shortDeadlines, type RunningFleet } from '../running-fleet.ts'
import { behavingSshAgent, bytesOf, documentReply, finish, machineSample } from '../scripted-agent.ts'

type Scenario = { readonly scenario: string; readonly agent_ident?: string }
const { scenarios } = readLinkVector('hub-link/ssh/head/faults.json') as { readonly scenarios: readonly Scenario[] } // the shape of the recording

const document = encodeDocument(machineSample)
const good = bytesOf(encodeEnvelope(documentReply(machineSample)))
const half = good.subarray(0, good.length / 2)

type Fault = (channel: ServerChannel, connection: Connection) => void
/** A fault in the agent's response, and the expected status of its system. */
type Expectation = readonly [status: 'up' | 'down', fault: Fault]

const closing =
  (bytes: Uint8Array): Fault =>
  (channel) =>
    finish(channel, Buffer.from(bytes))
const late =
  (ms: number): Fault =>
  (channel) =>
    void setTimeout(() => finish(channel, good), ms)
const silent: Fault = () => {}

function failing(bytes: Uint8Array): Fault {
  return (channel) => {
    channel.write(bytes)
    channel.exit(1)
    channel.close()
  }
}

/** The recorded hub drops a valid response that ends in an unusual way; our hub accepts it. */
const expectations: Readonly<Record<string, Expectation>> = {
  'shell accepted, never answers': ['down', silent],
  'half a document, then TCP reset': [
    'down',
    (channel, connection) => {
      channel.write(half)
      connection.end()
    },
  ],
  'half a document, exit-status 0, close': ['down', closing(half)],
  'garbage bytes, exit-status 0': ['down', closing(Buffer.from('ffeeddccbbaa', 'hex'))],
  'text, exit-status 0': ['down', closing(Buffer.from('Welcome to this machine!\n'))],
  'empty, exit-status 0': ['down', closing(Buffer.of())],
  'empty, exit-status 1': ['down', failing(Buffer.of())],
  'good document, exit-status 1': ['down', failing(good)],
  'good document, close without exit-status': [
    'up',
    (channel) => {
      channel.write(good)
      channel.close()
    },
  ],
  'good document, exit-status, channel never closed': [
    'up',
    (channel) => {
      channel.write(good)
      channel.exit(0)
    },
  ],
  'good document, exit-status, EOF, channel never closed': [
    'up',
    (channel) => {
      channel.write(good)
      channel.exit(0)
      channel.eof()
    },
  ],
  'good document, nothing else': ['up', (channel) => void channel.write(good)],
  'document twice': ['up', closing(Buffer.concat([good, good]))],
  'document and trailing garbage': ['up', closing(Buffer.concat([good, Buffer.from('ffffff', 'hex')]))],
  'reply after 3 s': ['up', late(150)],
  'reply after 6 s': ['up', late(200)],
  'reply after 15 s': ['up', late(400)],
  'reply after 25 s': ['down', late(1500)],
  'byte by byte over 10 s': [
    'up',
    (channel) => {
      for (const byte of good) channel.write(Buffer.of(byte))
      channel.exit(0)
      channel.close()
    },
  ],
  'connection closed 1 s after each reply': [
    'up',
    (channel, connection) => {
      finish(channel, good)
      channel.once('close', () => connection.end())
    },
  ],
  'JSON document instead': ['up', closing(Buffer.from(JSON.stringify({ stats: { cpu: 12.5 }, info: { v: '0.11.1' } })))],
  'bare CBOR document instead of envelope': ['up', closing(bytesOf(document))],
  'error envelope {3: text}': ['down', closing(bytesOf(new Map([[3, 'something failed']])))],
  'envelope without data {}': ['down', closing(bytesOf(new Map()))],
  'envelope with k=7': ['up', closing(bytesOf(new Map([[7, document]])))],
  'envelope with id and unknown keys': [
    'up',
    closing(
      bytesOf(
        new Map<number, CborValue>([
          [0, 5],
          [1, document],
          [100, 'x'],
        ]),
      ),
    ),
  ],
  'shell accepted, never answers (from the first poll)': ['down', silent],
  'empty, exit-status 0 (from the first poll)': ['down', closing(Buffer.of())],
}

/** Faults before a channel is open, each with the behaviour of its server. */
const greetings: Readonly<Record<string, (socket: Socket) => void>> = {
  'tcp accepted, never identifies': () => {},
  'identification only, then silence': (socket) => void socket.write('SSH-2.0-beszel_0.18.8\r\n'),
  'not SSH at all': (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
}

const channelFaults = ['channel open unanswered', 'channel open refused']

test('every recorded fault of agents over SSH has an expected status', () => {
  const known = new Set([...Object.keys(expectations), ...Object.keys(greetings), ...channelFaults])
  assert.deepEqual(
    scenarios.map(({ scenario }) => scenario).filter((name) => !known.has(name)),
    [],
  )
})

async function endOf(fleet: RunningFleet, port: number): Promise<string> {
  const system = await fleet.addSystem({ host: '127.0.0.1', port: String(port) })
  const event = await fleet.seen(
    ({ collection, record }) => collection === 'systems' && record.id === system.id && ['up', 'down'].includes(String(record['status'])),
  )
  await fleet.remove(system.id)
  return String(event.record['status'])
}

for (const kind of databases) {
  test(`${kind.name}: recorded faults of agents over SSH end with the expected status`, { timeout: 300_000 }, async (t) => {
    await using fleet = await fleetOn(kind, shortDeadlines)
    await Promise.all(
      Object.entries(expectations).map(([name, [expected, fault]]) =>
        t.test(name, async () => {
          await using agent = await behavingSshAgent(fleet.key.publicLine, {
            behave: async (channel, asked, connection) => {
              await asked
              fault(channel, connection)
            },
          })
          assert.equal(await endOf(fleet, agent.port), expected)
          assert.ok(agent.connections() <= 4, `${agent.connections()} connections`)
        }),
      ),
    )
  })

  for (const [name, greet] of Object.entries(greetings)) {
    test(`${kind.name}: the dial to a server with a silent handshake times out: ${name}`, { timeout: 300_000 }, async () => {
      await using fleet = await fleetOn(kind, shortDeadlines)
      const server = createServer((socket) => {
        socket.on('error', () => {})
        greet(socket)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      assert.equal(await endOf(fleet, (server.address() as AddressInfo).port), 'down') // a listening TCP server has an address
      server.close()
    })
  }

  test(`${kind.name}: an agent that refuses a channel, or never opens it, is down`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind, shortDeadlines)
    for (const answer of ['refuse', 'ignore'] as const) {
      await using agent = await behavingSshAgent(fleet.key.publicLine, { behave: () => {}, channels: answer })
      assert.equal(await endOf(fleet, agent.port), 'down')
    }
  })
}

test('the connection to a hanging agent is released, although the end of its channel is never read', { timeout: 300_000 }, async () => {
  const privateKey = generatePrivateKey()
  const parsed = ssh2.utils.parseKey(privateKey)
  assert.ok(!(parsed instanceof Error))
  const publicLine = `ssh-ed25519 ${parsed.getPublicSSH().toString('base64')}`
  await using agent = await behavingSshAgent(publicLine, { behave: () => {} })
  const session = await dialAgent({
    address: { host: '127.0.0.1', port: agent.port },
    privateKey,
    judgeHostKey: () => undefined,
    signal: new AbortController().signal,
    deadlines: shortDeadlines,
  })
  agent.freeze()
  session.close()
  await session.closed
})
