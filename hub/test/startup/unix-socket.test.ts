import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { refusedHub, startHubProcess, type HubProcess } from '../hub-process.ts'
import { socketCall } from '../socket-client.ts'

const ADMIN = { identity: 'admin@example.com', password: 'correct-horse-1' }
const environment = { VEDETTE_ADMIN_EMAIL: ADMIN.identity, VEDETTE_ADMIN_PASSWORD: ADMIN.password }

/** A folder with a data directory for a hub, and the path of a socket in it. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-socket-'))
  const data = join(folder, 'data')
  const socket = join(folder, 'hub.sock')
  const flags = ['--data', data, '--listen', `unix:${socket}`] as const
  const started: HubProcess[] = []
  return {
    folder,
    socket,
    flags,
    async start(more: readonly string[] = [], variables: Readonly<Record<string, string>> = environment): Promise<HubProcess> {
      const hub = await startHubProcess([...flags, ...more], variables)
      started.push(hub)
      return hub
    },
    [Symbol.dispose]() {
      for (const hub of started) hub.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The address that the hub has of a client with this header. */
async function realAddress(socket: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { body } = await socketCall(socket, 'POST /api/collections/users/auth-with-password', { body: ADMIN })
  const { token } = JSON.parse(body) as { readonly token: string } // of a session
  const health = await socketCall(socket, 'GET /api/health', { headers: { authorization: token, ...headers } })
  return (JSON.parse(health.body) as { readonly data: { readonly realIP: string } }).data.realIP // the response to an admin
}

test('a hub listens on a Unix socket that only its account and group can use, and removes it when it stops', async () => {
  using at = place()
  const hub = await at.start()
  assert.equal(hub.address, `unix:${at.socket}`)
  assert.ok(lstatSync(at.socket).isSocket())
  assert.equal(statSync(at.socket).mode & 0o777, 0o660)
  assert.equal((await socketCall(at.socket, 'GET /api/health')).status, 200)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
  assert.equal(lstatSync(at.socket, { throwIfNoEntry: false }), undefined)
})

test('--socket-mode sets the permissions of the socket', async () => {
  using at = place()
  const hub = await at.start(['--socket-mode', '600'])
  assert.equal(statSync(at.socket).mode & 0o777, 0o600)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
})

test('the socket of a killed hub is replaced, and the socket of a running hub is not', async () => {
  using at = place()
  const killed = await at.start()
  killed.kill('SIGKILL')
  await killed.ended
  assert.ok(lstatSync(at.socket).isSocket())
  const hub = await at.start()
  const other = join(at.folder, 'other')
  const { status, complaints } = await refusedHub([...at.flags, '--data', other])
  assert.deepEqual(complaints, [
    `Cannot listen on unix:${at.socket}: another program listens there, or it is not a socket; see: ls -l ${at.socket}`,
  ])
  assert.equal(status, 1)
  assert.equal((await socketCall(at.socket, 'GET /api/health')).status, 200)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
})

test('a file that is not a socket stays unchanged, and a missing folder is reported with the command that creates it', async () => {
  using at = place()
  writeFileSync(at.socket, 'notes')
  const { status, complaints } = await refusedHub(at.flags)
  assert.match(
    complaints.join('\n'),
    /^Cannot listen on unix:.*hub\.sock: another program listens there, or it is not a socket; see: ls -l /,
  )
  assert.equal(status, 1)
  assert.equal(readFileSync(at.socket, 'utf8'), 'notes')
  const missing = join(at.folder, "it's missing")
  const elsewhere = await refusedHub([...at.flags, '--listen', `unix:${missing}/hub.sock`])
  assert.deepEqual(elsewhere.complaints, [
    `Cannot listen on unix:${missing}/hub.sock: its folder is missing; run: mkdir -p '${missing.replace("'", `'\\''`)}'`,
  ])
  mkdirSync(missing)
  const [run = ''] = elsewhere.complaints.map((line) => line.split('run: ')[1] ?? '')
  const made = spawn('sh', ['-c', run], { stdio: 'ignore' })
  assert.deepEqual(await once(made, 'exit'), [0, null])
})

test('forwarding headers over a Unix socket count only if --trusted-proxies lists "unix"', async () => {
  const forged = { 'x-forwarded-for': '203.0.113.5' }
  for (const [proxies, expected] of [
    ['unix', '203.0.113.5'],
    ['127.0.0.1/32, unix', '203.0.113.5'],
    ['127.0.0.0/8', 'unix'],
    ['0.0.0.0/0,::/0', 'unix'],
  ] as const) {
    using at = place()
    const hub = await at.start(['--trusted-proxies', proxies])
    assert.equal(await realAddress(at.socket, forged), expected, proxies)
    assert.equal(await realAddress(at.socket, {}), 'unix')
    hub.kill('SIGTERM')
    assert.equal(await hub.ended, 0)
  }
})

test('over a Unix socket the form for the first admin needs the set-up code, as behind a proxy', async () => {
  using at = place()
  const hub = await at.start([], {})
  assert.match((await socketCall(at.socket, 'GET /api/beszel/first-run')).body, /"setupCodeNeeded":true/)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
})
