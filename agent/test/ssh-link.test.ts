import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { isCborMap, type CborValue } from '@vedette/protocol/cbor/value'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { fromHex, readRecording } from '../../protocol/test/recorded.ts'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { hubKey, RunningAgent, wrongKey } from './running-agent.ts'
import { portOf, SshHub } from './ssh-client.ts'

const overSsh = { LISTEN: '127.0.0.1:0' }
const request = fromHex('a2000001a20019ea6001f5')

function decoded(bytes: Uint8Array): CborValue {
  const item = decodeCbor(bytes, nodeUtf8)
  assert.ok(item.ok)
  assert.equal(item.bytesRead, bytes.length, 'exactly one item')
  return item.value
}

test('ssh-link answers a request with one envelope, exit status 0, and closes the channel itself', async () => {
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

test('ssh-link answers many requests over one connection, also at once', async () => {
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
  readonly documents: readonly { readonly top_level_keys: readonly string[] }[]
}
const cases = readRecording<{ cases: readonly Case[] }>('agent/ssh/head/sessions.json').cases

const stdinOf: Readonly<Record<string, { readonly bytes: Uint8Array; readonly end: boolean }>> = {
  'eof at once': { bytes: new Uint8Array(), end: true },
  'request + eof': { bytes: request, end: true },
  'request, no eof': { bytes: request, end: false },
  'garbage text + eof': { bytes: Buffer.from('garbage\n'), end: true },
  'byte ff, no eof': { bytes: fromHex('ff'), end: false },
}

for (const { client_ident, stdin, documents } of cases) {
  const input = stdinOf[stdin]
  const isCurrent = /_(0\.13\.0|0\.18\.8|99\.0\.0)$/.test(client_ident) && !client_ident.includes('other_name')
  if (!isCurrent || input === undefined) continue
  test(`ssh-link answers ${client_ident} that sends ${stdin} in the recorded form`, async () => {
    await using agent = await RunningAgent.start(overSsh)
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText, client_ident.replace('SSH-2.0-', ''))
    const { stdout, exitStatus, order } = await hub.shell(input.bytes, { end: input.end })
    const value = decoded(stdout)
    assert.ok(isCborMap(value))
    // A bare document has its parts at the top, an envelope has the document under key 1 alone.
    assert.equal(value.has(0), documents[0]?.top_level_keys.includes('0') === true)
    assert.equal(exitStatus, 0)
    assert.equal(order.at(-1), 'close')
  })
}

test('ssh-link sends the bare document to a hub before requests, and nothing to one before CBOR', async () => {
  await using agent = await RunningAgent.start(overSsh)
  const port = await agent.sshPort()
  await using before = await SshHub.connect(port, hubKey.privateText, 'beszel_0.12.12')
  const bare = decoded((await before.shell(new Uint8Array(), { end: false })).stdout)
  assert.ok(isCborMap(bare) && isCborMap(bare.get(0)))
  await using oldest = await SshHub.connect(port, hubKey.privateText, 'Go')
  const refused = await oldest.shell(new Uint8Array(), { end: true })
  assert.deepEqual([refused.stdout.length, refused.exitStatus], [0, 1])
  await agent.line('generation that this agent does not answer')
})

const actions: readonly (readonly [string, string, string])[] = [
  ['a fingerprint request', `a2000101a2005840${'ab'.repeat(64)}01f4`, 'unsupported action'],
  ['an unknown action', 'a10009', 'unknown action: 9'],
  ['SMART', 'a10004', 'this agent does not read disk health'],
  ['services', 'a2000501a100656e67696e78', 'this agent does not read services'],
  ['logs of an id that is a path', 'a2000201a1006d2e2e2f2e2e2f76657273696f6e', 'invalid container id'],
  ['logs of a container', 'a2000201a1006c303132333435363738396162', 'this agent does not read container logs and details'],
]
for (const [what, hex, message] of actions) {
  test(`ssh-link answers ${what} with an error text and exit status 0`, async () => {
    await using agent = await RunningAgent.start(overSsh)
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
    const { stdout, exitStatus } = await hub.shell(fromHex(hex), { end: true })
    assert.deepEqual(decodeEnvelope(decoded(stdout), 'text'), { ok: true, reply: { kind: 'error', message } })
    assert.equal(exitStatus, 0)
  })
}

test('ssh-link treats a command like a shell: it is never run', async () => {
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

test('ssh-link lets only the configured keys in and says who was refused', async () => {
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

test('agent that is reached over SSH only ends with one sentence when its port is taken', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const port = portOf(other.address())
  await using agent = await RunningAgent.start({ LISTEN: `127.0.0.1:${port}` })
  assert.equal(await agent.exited, 1)
  const { text } = await agent.line('another program does')
  assert.equal(text, `Cannot listen on port ${port} of 127.0.0.1: another program does; set LISTEN to a free port`)
  await new Promise((resolve) => other.close(resolve))
})

test('ssh-link listens on a unix socket, in place of one that nobody listens on any more', async () => {
  await using first = await RunningAgent.start(overSsh)
  const path = `${first.dataFolder}/agent.sock`
  await using agent = await RunningAgent.start({ LISTEN: path })
  const { text } = await agent.line('Waiting for the hub over SSH')
  assert.match(text, /agent\.sock/)
  await using second = await RunningAgent.start({ LISTEN: path })
  await second.line('another program does')
  assert.equal(await second.exited, 1)
})
