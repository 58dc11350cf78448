import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { verify } from 'node:crypto'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { promisify } from 'node:util'
import ssh2 from 'ssh2'
import { signToken } from '../../src/accounts/sessions/sessions.ts'
import { parseHubKey } from '../../src/fleet/ssh/hub-key.ts'
import { compiledSources } from '../compiled-sources.ts'
import { startHubProcess } from '../hub-process.ts'
import { sshAgent, webSocketAgent } from '../scripted-agent.ts'
import { contentOf, foreignFolder } from './source/foreign-folder.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')
const PASSWORD = 'exam-password-1'
/** Systems of the dump: one polled over SSH, and one whose agent dials, with its token and fingerprint. */
const SSH_SYSTEM = 'f3kctrf6xf1hxgh'
const DIALLING_SYSTEM = '2imzx31c44eia3j'
const TOKEN = '5b7d2c1e-0000-4000-8000-000000019001'
const FINGERPRINT = '8ef4328bb622c00b5fbfe75f7bd35afe4e0b88adacc28b93'

/** Secret of the dump for the session tokens of `users`. */
const SECRET = 'EwAtVKm09ywsDWNEp2MxSpeDiiQcKJloBbggjots40aYBMEeD3'

/** A session token of the other hub, as the browser of this person still has it. */
function tokenOf(database: string, email: string): string {
  const open = new DatabaseSync(database, { readOnly: true })
  const row = open.prepare('select id, tokenKey from users where email = ?').get(email)
  open.close()
  const exp = Math.floor(Date.now() / 1000) + 86_400
  const claims = { type: 'auth', id: String(row?.['id']), collectionId: '_pb_users_auth_', exp, refreshable: true } as const
  return signToken(claims, `${String(row?.['tokenKey'])}${SECRET}`)
}

/** Gives the system that is polled over SSH another port, and keeps the time of the file. */
function moveSystem(database: string, port: number): void {
  const { mtime } = statSync(database)
  const open = new DatabaseSync(database)
  open.prepare('update systems set port = ? where id = ?').run(String(port), SSH_SYSTEM)
  open.close()
  utimesSync(database, mtime, mtime)
}

/** Agents poll at most a minute after a start. Loaded machines get more time; the response to each poll is the proof. */
const TIMEOUT_MS = 300_000

test('agents and users of another hub find this one in its place after an import', { timeout: TIMEOUT_MS }, async () => {
  using theirs = foreignFolder()
  const { publicLine } = parseHubKey(theirs.privateKey, 'theirs')
  // It accepts only the key of the other hub.
  await using agent = await sshAgent(publicLine)
  moveSystem(theirs.database, agent.port)
  const tokens = ['bea@example.com', 'cem@example.com'].map((email) => tokenOf(theirs.database, email))
  const before = contentOf(theirs.path)
  const importing = ['import', theirs.path, '--admin', 'admin@example.com', '--data', theirs.data]
  await promisify(execFile)(process.execPath, [program, ...importing], { env: { NODE_NO_WARNINGS: '1', ...compiledSources } })
  assert.deepEqual(contentOf(theirs.path), before)

  const hub = await startHubProcess(['--data', theirs.data])
  const dialling = webSocketAgent({
    url: `${hub.address.replace('http', 'ws')}/api/beszel/agent-connect`,
    token: TOKEN,
    identity: { fingerprint: FINGERPRINT, hostname: 'ws-system', port: '45876', systemName: '' },
  })
  try {
    const post = async (path: string, body: object) => {
      const response = await fetch(`${hub.address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(response.status, 200)
      return (await response.json()) as { readonly token: string } // what signing in answers
    }
    const signIn = async (identity: string) =>
      (await post('/api/collections/users/auth-with-password', { identity, password: PASSWORD })).token
    const token = await signIn('admin@example.com')
    for (const other of ['bea@example.com', 'cem@example.com']) assert.notEqual(await signIn(other), '')
    for (const signedIn of tokens)
      assert.equal((await fetch(`${hub.address}/api/beszel/info`, { headers: { authorization: signedIn } })).status, 200)
    const statuses = async () => {
      const response = await fetch(`${hub.address}/api/collections/systems/records?fields=id,status`, { headers: { authorization: token } })
      const { items } = (await response.json()) as { readonly items: readonly { readonly id: string; readonly status: string }[] } // a list
      return new Map(items.map(({ id, status }) => [id, status]))
    }
    assert.equal((await statuses()).size, 4)
    for (const id of [DIALLING_SYSTEM, SSH_SYSTEM]) while ((await statuses()).get(id) !== 'up') assert.deepEqual(hub.complaints(), '')
    assert.ok(agent.requests.length > 0)
    // The hub proves itself to the agent that dials with the key that this agent knows.
    const key = ssh2.utils.parseKey(publicLine)
    assert.ok(!(key instanceof Error))
    assert.ok(verify(null, Buffer.from(TOKEN), key.getPublicPEM(), dialling.signatures[0] ?? Buffer.of()))
  } finally {
    dialling.close()
    hub.kill('SIGTERM')
    await hub.ended
  }
})
