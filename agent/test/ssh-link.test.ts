import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { isCborMap, type CborValue } from '@vedette/protocol/cbor/value'
import { decodeDocument, type DocumentResult } from '@vedette/protocol/wire/document-decode'
import { fromDocumentJson } from '@vedette/protocol/wire/document-json'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { fromHex, readRecording } from '../../protocol/test/recorded.ts'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { withoutIpv6 } from '../../protocol/test/own-ipv6.ts'
import { hubKey, RunningAgent, wrongKey } from './running-agent.ts'
import { portOf, SshHub } from './ssh-client.ts'

type DocumentRead = Extract<DocumentResult, { readonly ok: true }>

const overSsh = { LISTEN: '127.0.0.1:0' }
const request = fromHex('a2000001a20019ea6001f5')

function decoded(bytes: Uint8Array): CborValue {
  const item = decodeCbor(bytes, nodeUtf8)
  assert.ok(item.ok)
  assert.equal(item.bytesRead, bytes.length, 'exactly one item')
  return item.value
}

function read(document: CborValue): DocumentRead {
  const result = decodeDocument(document)
  assert.ok(result.ok)
  return result
}

test('ssh-link sends one envelope and exit status 0 for a request, and closes the channel', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
  const { stdout, exitStatus, order } = await hub.shell(request, { end: false })
  assert.equal(exitStatus, 0)
  assert.deepEqual(order, ['data', 'exit', 'close'])
  const envelope = decodeEnvelope(decoded(stdout), 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document' && envelope.id === undefined)
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok)
  assert.equal(document.sample.link, 'ssh')
  assert.equal(document.sample.agentVersion, ANNOUNCED_VERSION)
})

test('ssh-link serves many requests over one connection, also concurrently', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
  const answers = await Promise.all(Array.from({ length: 5 }, () => hub.shell(request, { end: true })))
  assert.deepEqual(
    answers.map(({ exitStatus }) => exitStatus),
    [0, 0, 0, 0, 0],
  )
})

type Case = {
  readonly client_ident: string
  readonly stdin: string
  readonly documents: readonly { readonly format: 'json' | 'cbor'; readonly top_level_keys: readonly string[] }[]
}
const cases = readRecording<{ cases: readonly Case[] }>('agent/ssh/head/sessions.json').cases

const stdinOf: Readonly<Record<string, { readonly bytes: Uint8Array; readonly end: boolean }>> = {
  'no stdin, kept open': { bytes: new Uint8Array(), end: false },
  'eof at once': { bytes: new Uint8Array(), end: true },
  'request + eof': { bytes: request, end: true },
  'request, no eof': { bytes: request, end: false },
  'garbage text + eof': { bytes: Buffer.from('garbage\n'), end: true },
  'byte ff, no eof': { bytes: fromHex('ff'), end: false },
}

/** The tables below share one agent, since hubs' connections are independent. */
const tableAgent = RunningAgent.start(overSsh)
after(async () => (await tableAgent)[Symbol.asyncDispose]())

/** Hubs of that time read the first of two documents; this agent sends only that one. It waits for the request of a current hub. */
for (const { client_ident, stdin, documents } of cases) {
  const input = stdinOf[stdin]
  const [first] = documents
  const waits = stdin === 'no stdin, kept open' && documents.length === 1
  if (first === undefined || input === undefined || waits) continue
  test(`ssh-link responds to ${client_ident} with stdin ${stdin} in the recorded format`, async () => {
    const agent = await tableAgent
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText, client_ident.replace('SSH-2.0-', ''))
    const { stdout, exitStatus, order } = await hub.shell(input.bytes, { end: input.end })
    assert.equal(exitStatus, 0)
    assert.equal(order.at(-1), 'close')
    if (first.format === 'json') {
      const text = Buffer.from(stdout).toString()
      assert.match(text, /^[^\n]+\n$/)
      assert.deepEqual(Object.keys(JSON.parse(text) as object), ['stats', 'info', 'container'])
      return
    }
    const value = decoded(stdout)
    assert.ok(isCborMap(value))
    // A bare document has its parts at the top level; an envelope has only the document, under key 1.
    assert.equal(value.has(0), first.top_level_keys.includes('0'))
  })
}

for (const ident of ['Go', 'beszel_0.12.12']) {
  test(`ssh-link sends ${ident}, which does not support details, the machine's facts in the info`, async () => {
    await using agent = await RunningAgent.start(overSsh)
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText, ident)
    const { stdout } = await hub.shell(new Uint8Array(), { end: true })
    const document = ident === 'Go' ? fromDocumentJson(JSON.parse(Buffer.from(stdout).toString()) as Json) : decoded(stdout)
    assert.ok(isCborMap(document) && !document.has(4))
    const { sample } = read(document)
    assert.ok(sample.machine?.hostname && sample.machine.kernel && sample.machine.cores && sample.machine.cpuModel)
    assert.ok(sample.network === undefined || sample.network.sentBytesPerSecond !== undefined)
  })
}

test('ssh-link sends hubs 0.13 to 0.17 the facts in the info, and current hubs the facts in the details only', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
  const ask = async (hex: string) => {
    const envelope = decodeEnvelope(decoded((await hub.shell(fromHex(hex), { end: true })).stdout), 'document')
    assert.ok(envelope.ok && envelope.reply.kind === 'document' && isCborMap(envelope.reply.document))
    const info = envelope.reply.document.get(1)
    assert.ok(isCborMap(info))
    return { hostInInfo: info.has(0), details: envelope.reply.document.has(4) }
  }
  assert.deepEqual(await ask('a2000001a10019ea60'), { hostInInfo: true, details: false })
  assert.deepEqual(await ask('a2000001a20019ea6001f5'), { hostInInfo: false, details: true })
  assert.deepEqual(await ask('a2000001a20019ea6001f4'), { hostInInfo: false, details: false })
})

type Recorded = { readonly request: string; readonly request_hex: string; readonly documents: readonly { readonly diag?: string }[] }
/** The recorded error texts come from a library; this agent has its own texts for the same errors. */
const ownWords: Readonly<Record<string, string>> = {
  'action 1, no body': 'request body of "fingerprint" is unusable',
  'action 2, no body': 'request body of "container-logs" is unusable',
  'action 2, body is text': 'request body of "container-logs" is unusable',
  'action 5, no body': 'request body of "service-details" is unusable',
}
const withoutEngine = readRecording<{ replies: readonly Recorded[] }>('agent/ssh/head/actions-docker.json').replies.filter(
  ({ request }) => !/^action [23].*(container id 1|container id 6|unknown id|upper-case)/.test(request),
)
for (const { request, request_hex, documents } of withoutEngine) {
  const recorded = documents[0]?.diag ?? ''
  test(`ssh-link responds as recorded: ${request}`, async () => {
    const agent = await tableAgent
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
    const { stdout, exitStatus } = await hub.shell(fromHex(request_hex), { end: true })
    const value = decoded(stdout)
    assert.ok(isCborMap(value))
    assert.equal(exitStatus, 0)
    const [, error] = /^\{3: "(.*)"\}$/.exec(recorded) ?? []
    if (error === undefined)
      assert.deepEqual([...value.keys()].filter((key) => Number(key) < 3).at(0), recorded === '{}' ? undefined : Number(recorded[1]))
    else assert.equal(value.get(3), ownWords[request] ?? error)
  })
}

test('ssh-link responds to an oversized request with an error, not with data', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
  const endless = Buffer.concat([fromHex('a2000201a1005a00ffffff'), Buffer.alloc(1_200_000, 0x61)])
  const { stdout } = await hub.shell(endless, { end: false })
  assert.deepEqual(decodeEnvelope(decoded(stdout), 'text'), { ok: true, reply: { kind: 'error', message: 'request too large' } })
})

test('ssh-link treats a command like a shell request and never runs it', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
  const { stdout } = await hub.exec('uname -a', request)
  assert.equal(decodeEnvelope(decoded(stdout), 'document').ok, true)
})

test('ssh-link refuses terminals, subsystems and forwarding', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
  await hub.refusal((client, done) => client.shell({}, done))
  await hub.refusal((client, done) => client.subsys('sftp', done))
  await hub.refusal((client, done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, done))
  await hub.refusal((client, done) => client.forwardIn('127.0.0.1', 0, done))
})

test('ssh-link accepts only the configured keys and logs refused clients', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await assert.rejects(SshHub.connect(await agent.sshPort(), wrongKey.privateText), /authentication/i)
  const { level, text } = await agent.line('Refused an SSH client')
  assert.equal(level, 'warn')
  assert.match(text, /127\.0\.0\.1/)
})

test('ssh-link keeps one host key in the data folder, readable for its owner only', async () => {
  await using agent = await RunningAgent.start(overSsh)
  await agent.sshPort()
  const path = `${agent.dataFolder}/ssh_host_ed25519_key`
  const first = await readFile(path, 'utf8')
  assert.equal((await stat(path)).mode % 0o1000, 0o600)
  await using again = await RunningAgent.start({ ...overSsh, DATA_DIR: agent.dataFolder })
  await again.sshPort()
  assert.equal(await readFile(path, 'utf8'), first)
})

test('agent without a hub to connect to exits with one clear message when its SSH port is taken', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const port = portOf(other.address())
  await using agent = await RunningAgent.start({ LISTEN: `127.0.0.1:${port}` })
  assert.equal(await agent.exited, 1)
  const { text } = await agent.line('another program does')
  assert.equal(text, `Cannot listen on port ${port} of 127.0.0.1: another program does; set LISTEN to a free port`)
  await new Promise((resolve) => other.close(resolve))
})

test('ssh-link listens on a unix socket, and replaces a socket without a listener', async () => {
  await using first = await RunningAgent.start(overSsh)
  const path = `${first.dataFolder}/agent.sock`
  await using agent = await RunningAgent.start({ LISTEN: path })
  const { text } = await agent.line('Waiting for the hub over SSH')
  assert.match(text, /agent\.sock/)
  await using hub = await SshHub.connect(path, hubKey.privateText)
  assert.equal((await hub.shell(request, { end: true })).exitStatus, 0)
  await using second = await RunningAgent.start({ LISTEN: path })
  await second.line('another program does')
  assert.equal(await second.exited, 1)
})

for (const [listen, network, host] of [
  ['[::1]:0', undefined, '::1'],
  ['0', 'tcp6', '::1'],
  ['0', 'tcp4', '127.0.0.1'],
] as const) {
  const skip = host === '::1' && withoutIpv6
  test(`ssh-link listens on ${listen} of ${network ?? 'any network'}`, { skip }, async () => {
    await using agent = await RunningAgent.start({ LISTEN: listen, ...(network === undefined ? {} : { NETWORK: network }) })
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText, undefined, host)
    assert.equal((await hub.shell(request, { end: true })).exitStatus, 0)
    if (network !== undefined)
      await assert.rejects(SshHub.connect(await agent.sshPort(), hubKey.privateText, undefined, host === '::1' ? '127.0.0.1' : '::1'))
  })
}

test('ssh-link accepts each of several keys, with comments and options in KEY', async () => {
  const keys = `# hubs\n\nno-pty ${hubKey.publicLine}\n${wrongKey.publicLine}`
  await using agent = await RunningAgent.start({ ...overSsh, KEY: keys })
  for (const { privateText } of [hubKey, wrongKey]) {
    await using hub = await SshHub.connect(await agent.sshPort(), privateText)
    assert.equal((await hub.shell(request, { end: true })).exitStatus, 0)
  }
})
