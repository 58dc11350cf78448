import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { hubProofText } from '@vedette/protocol/wire/hub-proof'
import { agentCommand } from './agent-host.ts'
import { hubKey, RunningAgent, wrongKey } from './running-agent.ts'
import { ScriptedHub, signToken, type AgentConnection } from './scripted-hub.ts'

const TOKEN = 'test-token'
const environment = (hub: ScriptedHub) => ({ HUB_URL: hub.url, TOKEN, LISTEN: '127.0.0.1:0', SMART_DEVICES: '', EXCLUDE_SMART: '*' })

const nonceOf = ({ headers }: AgentConnection): string => String(headers['x-vedette-nonce'])
const overNonce = (nonce: string, key = hubKey): Uint8Array => signToken(key.privateText, hubProofText(nonce, TOKEN))

type Proof = { readonly signature: Uint8Array; readonly coversNonce?: true }
const withNonce = (connection: AgentConnection): Proof => ({ signature: overNonce(nonceOf(connection)), coversNonce: true })
const withoutNonce: Proof = { signature: signToken(hubKey.privateText, TOKEN) }

const prove = (connection: AgentConnection, proof: Proof): void =>
  connection.send({ id: 1, request: { action: 'fingerprint', ...proof, needSystemInfo: false } })

async function isAccepted(connection: AgentConnection, proof: Proof): Promise<boolean> {
  prove(connection, proof)
  const reply = connection.receive().then((item) => decodeEnvelope(item, 'identity').ok)
  return Promise.race([reply, connection.closed.then(() => false)])
}

/** Runs an agent with this data folder for one connection. A refused agent would reconnect only after several seconds. */
async function meet<T>(
  folder: DataFolder,
  use: (connection: AgentConnection, agent: RunningAgent) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  await using hub = await ScriptedHub.start()
  await using agent = await RunningAgent.start({ ...environment(hub), DATA_DIR: folder.path, ...env })
  return await use(await hub.agent(), agent)
}

type DataFolder = AsyncDisposable & { readonly path: string; readonly provedKeys: () => Promise<readonly string[]> }

async function dataFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'vedette-proof-'))
  const provedKeys = async (): Promise<readonly string[]> =>
    existsSync(join(path, 'proved-hub-keys')) ? (await readFile(join(path, 'proved-hub-keys'), 'utf8')).trim().split('\n') : []
  return { path, provedKeys, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

const acceptsNonce = (connection: AgentConnection) => isAccepted(connection, withNonce(connection))
const acceptsToken = (connection: AgentConnection) => isAccepted(connection, withoutNonce)

test('websocket-link sends a new nonce with each connection, and accepts a proof that covers it', async () => {
  await using folder = await dataFolder()
  const first = await meet(folder, async (connection) => {
    assert.match(nonceOf(connection), /^[0-9a-f]{64}$/)
    assert.ok(await acceptsNonce(connection))
    return nonceOf(connection)
  })
  assert.match((await folder.provedKeys())[0] ?? '', /^[0-9a-f]{64}$/)
  assert.equal((await stat(join(folder.path, 'proved-hub-keys'))).mode % 0o1000, 0o600)
  await meet(folder, async (connection) => {
    assert.notEqual(nonceOf(connection), first)
    assert.ok(await acceptsNonce(connection))
  })
})

test('websocket-link refuses a replayed proof, a proof by another key, and a proof over the token only that claims otherwise', async () => {
  await using folder = await dataFolder()
  const replayed = await meet(folder, async (connection) => {
    assert.ok(await acceptsNonce(connection))
    return withNonce(connection)
  })
  const refuses = (proof: (connection: AgentConnection) => Proof) =>
    meet(folder, async (connection, agent) => {
      assert.ok(!(await isAccepted(connection, proof(connection))))
      await agent.line('its key is not the one in KEY')
    })
  await refuses(() => replayed)
  await refuses((connection) => ({ signature: overNonce(nonceOf(connection), wrongKey), coversNonce: true }))
  await refuses(() => ({ ...withoutNonce, coversNonce: true }))
})

test('websocket-link accepts a proof without a nonce from a hub that never sent one with a nonce', async () => {
  await using folder = await dataFolder()
  for (const _ of ['first', 'second']) await meet(folder, async (connection) => assert.ok(await acceptsToken(connection)))
  assert.deepEqual(await folder.provedKeys(), [])
})

test('websocket-link refuses a proof without a nonce after the same key sent one with a nonce (downgrade attack)', async () => {
  await using folder = await dataFolder()
  await meet(folder, async (connection) => assert.ok(await acceptsNonce(connection)))
  await meet(folder, async (connection, agent) => {
    assert.ok(!(await acceptsToken(connection)))
    const { level, text } = await agent.line('which a stranger can replay')
    assert.equal(level, 'error')
    assert.match(text, /vedette-agent fingerprint reset/)
  })
})

test('websocket-link accepts a proof without a nonce again after "fingerprint reset"', async () => {
  await using folder = await dataFolder()
  await meet(folder, async (connection) => assert.ok(await acceptsNonce(connection)))
  const [program, ...args] = agentCommand()
  const run = async (command: 'view' | 'reset'): Promise<readonly string[]> => {
    const env = { DATA_DIR: folder.path, PATH: process.env['PATH'] }
    return (await promisify(execFile)(program, [...args, 'fingerprint', command], { env })).stdout.trim().split('\n')
  }
  assert.deepEqual(await run('view'), [await readFile(join(folder.path, 'fingerprint'), 'utf8')])
  assert.deepEqual(await run('reset'), [`Removed ${folder.path}/fingerprint`, `Removed ${folder.path}/proved-hub-keys`])
  await meet(folder, async (connection) => assert.ok(await acceptsToken(connection)))
})

test('websocket-link accepts a proof without a nonce again after a request of the authenticated hub, and of no other peer', async () => {
  await using folder = await dataFolder()
  await meet(folder, async (connection) => assert.ok(await acceptsNonce(connection)))
  await meet(folder, async (connection, agent) => {
    connection.send({ id: 9, request: { action: 'forget-proof' } })
    await agent.line('before the hub proved its key')
    assert.ok(!(await acceptsToken(connection)))
  })
  await meet(folder, async (connection) => {
    assert.ok(await acceptsNonce(connection))
    connection.send({ id: 2, request: { action: 'forget-proof' } })
    assert.ok(decodeEnvelope(await connection.receive(), 'text').ok)
  })
  await meet(folder, async (connection) => assert.ok(await acceptsToken(connection)))
})

test('websocket-link remembers the proof of each key in KEY, and forgets keys that are removed from KEY', async () => {
  await using folder = await dataFolder()
  const withOther = { KEY: `${hubKey.publicLine}\n${wrongKey.publicLine}` }
  const otherOverNonce = (connection: AgentConnection): Proof => ({
    signature: overNonce(nonceOf(connection), wrongKey),
    coversNonce: true,
  })
  await meet(folder, async (connection) => assert.ok(await acceptsNonce(connection)), withOther)
  const otherOverToken: Proof = { signature: signToken(wrongKey.privateText, TOKEN) }
  await meet(folder, async (connection) => assert.ok(await isAccepted(connection, otherOverToken)), withOther)
  assert.equal((await folder.provedKeys()).length, 1)
  await meet(folder, async (connection) => assert.ok(await isAccepted(connection, otherOverNonce(connection))), withOther)
  assert.equal((await folder.provedKeys()).length, 2)
  await meet(folder, async (connection) => assert.ok(!(await acceptsToken(connection))), withOther)
  await meet(folder, async (connection) => assert.ok(await isAccepted(connection, otherOverNonce(connection))), {
    KEY: wrongKey.publicLine,
  })
})
