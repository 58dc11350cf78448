import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ensureAgent } from '../tools/build-agent.ts'
import { ensureHub } from '../tools/build-hub.ts'
import { ensureDashboard } from '../tools/dashboard.ts'
import { billName } from '../tools/supply-chain/sbom.ts'
import { scratchFolder, startProgram, type Program } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

const EMAIL = 'admin@example.com'
const PASSWORD = 'correct horse'
/** A bcrypt hash of this password, as made by another hub. The first sign-in replaces it. */
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'

test('bundled hub starts, runs list queries and bcrypt in worker threads, and serves its OpenAPI document', async () => {
  await ensureHub()
  using folder = scratchFolder()
  const first = await start(folder.path)
  await ask(`${first.address}/api/beszel/create-user`, { email: EMAIL, password: PASSWORD })
  assert.equal(await first.hub.stop(), 0)
  const database = new DatabaseSync(join(folder.path, 'vedette.sqlite'))
  database.prepare('update users set password = ?').run(BCRYPT)
  database.close()

  const { hub, address } = await start(folder.path)
  const session = await ask(`${address}/api/collections/users/auth-with-password`, { identity: EMAIL, password: PASSWORD })
  const authorization = String(session['token'])
  const users = await fetch(`${address}/api/collections/users/records?filter=email!=""`, { headers: { authorization } })
  assert.equal(((await users.json()) as { readonly totalItems: number }).totalItems, 1) // what this route answers
  assert.equal((await fetch(`${address}/api/vedette/openapi.json`)).status, 200)
  assert.equal(hub.errors(), '')
  assert.equal(await hub.stop(), 0)
})

test('bill of materials beside each bundle lists its packages with checksums', async () => {
  await ensureHub()
  await ensureDashboard()
  await ensureAgent()
  for (const [workspace, expected] of [
    ['hub', ['hono', 'ssh2', 'ws', 'pg', 'zod']],
    ['web', ['react', 'uplot']],
    ['agent', ['ssh2', 'ws']],
  ] as const) {
    const path = join(import.meta.dirname, '..', workspace, 'dist', billName(workspace))
    const { components } = JSON.parse(readFileSync(path, 'utf8')) as {
      components: { name: string; version: string; purl: string; hashes: { alg: string; content: string }[] }[]
    } // CycloneDX
    const names = components.map(({ name }) => name)
    for (const name of expected) assert.ok(names.includes(name), `${workspace}: ${name} is not in ${names.join(' ')}`)
    for (const { purl, hashes } of components) assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/, purl)
  }
})

async function start(directory: string): Promise<{ readonly hub: Program; readonly address: string }> {
  const listen = `127.0.0.1:${await freePort()}`
  const hub = startProgram('hub/dist/vedette-hub.mjs', { args: ['--listen', listen, '--data', directory, '--log-level', 'error'] })
  await hub.line(/listens on/)
  return { hub, address: `http://${listen}` }
}

async function ask(url: string, body: object): Promise<{ readonly [field: string]: unknown }> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  return JSON.parse(text) as { readonly [field: string]: unknown } // both routes answer an object
}
