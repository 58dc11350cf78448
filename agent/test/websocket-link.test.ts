import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { isCborMap } from '@vedette/protocol/cbor/value'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { fromHex, readRecording } from '../../protocol/test/recorded.ts'
import { hubKey, RunningAgent, wrongKey } from './running-agent.ts'
import { ScriptedHub, signToken, type AgentConnection } from './scripted-hub.ts'

const TOKEN = 'test-token'
const goodSignature = signToken(hubKey.privateText, TOKEN)
const environment = (hub: ScriptedHub) => ({ HUB_URL: hub.url, TOKEN, LISTEN: '127.0.0.1:0', SMART_DEVICES: '', EXCLUDE_SMART: '*' })

async function proven(hub: ScriptedHub): Promise<AgentConnection> {
  const connection = await hub.agent()
  connection.send({ id: 1, request: { action: 'fingerprint', signature: goodSignature, needSystemInfo: false } })
  await connection.receive()
  return connection
}

test('websocket-link connects with token and version below the path of HUB_URL', async () => {
  await using hub = await ScriptedHub.start()
  await using _agent = await RunningAgent.start(environment(hub))
  const { headers, path } = await hub.agent()
  assert.equal(path, '/sub/path/api/beszel/agent-connect')
  assert.equal(headers['x-token'], TOKEN)
  assert.equal(headers['x-beszel'], ANNOUNCED_VERSION)
  assert.equal(headers['sec-websocket-extensions'], undefined)
})

test('websocket-link sends its fingerprint to a hub that proved its identity, and stores it', async () => {
  await using hub = await ScriptedHub.start()
  await using agent = await RunningAgent.start({ ...environment(hub), SYSTEM_NAME: 'attic' })
  const connection = await hub.agent()
  connection.send({ id: 1, request: { action: 'fingerprint', signature: goodSignature, needSystemInfo: true } })
  const envelope = decodeEnvelope(await connection.receive(), 'identity')
  assert.ok(envelope.ok && envelope.reply.kind === 'identity')
  assert.equal(envelope.id, 1)
  const { fingerprint, hostname, port, systemName } = envelope.reply.identity
  assert.match(fingerprint, /^[0-9a-f]{48}$/)
  assert.equal(await readFile(`${agent.dataFolder}/fingerprint`, 'utf8'), fingerprint)
  assert.equal((await stat(`${agent.dataFolder}/fingerprint`)).mode % 0o1000, 0o644)
  assert.deepEqual([typeof hostname, port, systemName], ['string', '0', 'attic'])
})

test('websocket-link responds to a data request with a whole sample of this machine', async () => {
  await using hub = await ScriptedHub.start()
  await using _agent = await RunningAgent.start(environment(hub))
  const connection = await proven(hub)
  connection.sendBytes(fromHex('a3000001a20019ea6001f50202'))
  const envelope = decodeEnvelope(await connection.receive(), 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document')
  assert.equal(envelope.id, 2)
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok)
  assert.deepEqual(document.problems, [])
  const { agentVersion, link, takenAtMs, memory, uptimeSeconds, load, rootDisk, machine, containers } = document.sample
  assert.deepEqual([agentVersion, link, typeof machine?.hostname, containers], [ANNOUNCED_VERSION, 'websocket', 'string', undefined])
  assertAtLeast({ takenAtMs }, 1.6e12)
  assertAtLeast({ total: memory?.totalBytes, disk: rootDisk?.totalBytes, threads: machine?.threads }, 1)
  // The first sample already has rates.
  assertAtLeast({ uptimeSeconds, load: load?.oneMinute, read: rootDisk?.readBytesPerSecond }, 0)
})

function assertAtLeast(values: Readonly<Record<string, number | undefined>>, least: number): void {
  for (const [name, value] of Object.entries(values)) assert.ok(value !== undefined && value >= least, `${name} is ${value}`)
}

type Step = { readonly hub_sends: string; readonly opcode: number; readonly payload_hex?: string }
const steps = readRecording<{ steps: readonly Step[] }>('agent/ws/head/exchange.json').steps

/** Recorded requests of a real hub to a real agent. This agent sends an error for requests that the recorded agent ignored. */
test('websocket-link responds to every recorded request of a real hub with the id of the request', async () => {
  await using hub = await ScriptedHub.start()
  await using _agent = await RunningAgent.start(environment(hub))
  const connection = await proven(hub)
  const recorded = new Map(steps.map((step) => [step.hub_sends, step.payload_hex ?? '']))
  const expected: readonly (readonly [string, number, string])[] = [
    ['data request 60000, details, id 2', 2, 'document'],
    ['data request 60000, details, id 3 (cached)', 3, 'document'],
    ['data request 1000, id 4', 4, 'document'],
    ['data request of a 0.13-0.17 hub, id 5', 5, 'document'],
    ['data request with id 0', 0, 'document'],
    ['data request with id 4294967295', 4_294_967_295, 'document'],
    ['data request, unknown keys, id 6', 6, 'document'],
    ['unknown action 9, id 7', 7, 'unknown action: 9'],
    ['logs request, invalid id, id 8', 8, 'invalid container id'],
    ['systemd request nginx, id 10', 10, 'unsupported operation'],
    ['logs request without body, id 11', 11, 'request body of "container-logs" is unusable'],
  ]
  connection.sendBytes(fromHex(recorded.get('SMART request, id 9') ?? ''))
  assert.deepEqual(await connection.receive(), new Map([[0, 9]]), 'a machine without drives answers with the id alone')
  for (const [name, id, outcome] of expected) {
    connection.sendBytes(fromHex(recorded.get(name) ?? ''))
    const envelope = decodeEnvelope(await connection.receive(), 'document')
    assert.ok(envelope.ok, name)
    assert.equal(envelope.id, id, name)
    assert.equal(envelope.reply.kind === 'error' ? envelope.reply.message : envelope.reply.kind, outcome, name)
  }
})

test('websocket-link responds without an envelope to a hub that sends no id', async () => {
  await using hub = await ScriptedHub.start()
  await using _agent = await RunningAgent.start(environment(hub))
  const connection = await hub.agent()
  connection.send({ request: { action: 'fingerprint', signature: goodSignature, needSystemInfo: false } })
  assert.equal(typeof (await connection.receive()).get(0), 'string')
  connection.sendBytes(fromHex('a10000'))
  const bare = await connection.receive()
  assert.ok(isCborMap(bare.get(0)) && isCborMap(bare.get(1)))
})

test('websocket-link ignores text, empty and malformed messages and responds to pings', async () => {
  await using hub = await ScriptedHub.start()
  await using _agent = await RunningAgent.start(environment(hub))
  const connection = await proven(hub)
  connection.sendText('hello')
  connection.sendBytes(new Uint8Array())
  connection.sendBytes(fromHex('ff'))
  connection.sendBytes(fromHex('a1000000'))
  assert.equal(await connection.ping('abc'), 'abc')
  assert.equal(connection.pending, 0)
})

test('websocket-link sends nothing to a hub with another key, closes, and logs the reason once', async () => {
  await using hub = await ScriptedHub.start()
  await using agent = await RunningAgent.start(environment(hub))
  const connection = await hub.agent()
  connection.sendBytes(fromHex('a3000001a20019ea6001f50201'))
  connection.send({ id: 2, request: { action: 'fingerprint', signature: signToken(wrongKey.privateText, TOKEN), needSystemInfo: true } })
  assert.equal((await connection.closed).code, 1000)
  assert.equal(connection.pending, 0)
  const { level } = await agent.line('its key is not the one in KEY')
  assert.equal(level, 'error')
  assert.ok(agent.lines.every(({ text }) => !text.includes(TOKEN)))
})

test('websocket-link logs a refused token in plain words but never the token, and starts SSH', async () => {
  await using hub = await ScriptedHub.start({ status: 401, body: 'Invalid token' })
  await using agent = await RunningAgent.start({ ...environment(hub), TOKEN: 'secret-of-the-house' })
  const { level, text } = await agent.line('The hub refused this agent')
  assert.equal(level, 'error')
  assert.match(text, /does not accept this token/)
  assert.ok((await agent.sshPort()) > 0)
  assert.ok(agent.lines.every((line) => !line.text.includes('secret-of-the-house')))
})

test('websocket-link logs that the fingerprint belongs to another machine', async () => {
  await using hub = await ScriptedHub.start()
  await using agent = await RunningAgent.start(environment(hub))
  const connection = await proven(hub)
  connection.close(1000, 'fingerprint mismatch')
  const { text } = await agent.line('another fingerprint')
  assert.match(text, /The hub refused this agent/)
})

test('agent stops listening over SSH while the WebSocket is up and starts again when it is lost', async () => {
  const refusing = await ScriptedHub.start()
  const agent = await RunningAgent.start(environment(refusing))
  const connection = await proven(refusing)
  assert.ok(agent.lines.every(({ text }) => !text.includes('over SSH')))
  connection.drop()
  assert.ok((await agent.sshPort()) > 0)
  await agent[Symbol.asyncDispose]()
  await refusing[Symbol.asyncDispose]()
})

test('agent uses the next hub of HUB_URL when the first is unreachable, and after it loses a hub', async () => {
  const away = await ScriptedHub.start()
  const deadUrl = away.url
  await away[Symbol.asyncDispose]()
  await using one = await ScriptedHub.start()
  await using other = await ScriptedHub.start()
  const hubs = `${deadUrl},${one.url}, ${other.url}`
  await using _agent = await RunningAgent.start({ ...environment(one), HUB_URL: hubs })
  const meetings = [proven(one), proven(other)]
  const met = await Promise.race(meetings)
  met.drop()
  await Promise.all(meetings)
})
