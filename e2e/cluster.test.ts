import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { programNamed } from '../tools/installed-programs.ts'
import { childrenOf, isRunning } from './process-tree.ts'
import { startProgram } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

const missing = ['nats-server', 'haproxy'].filter((name) => programNamed(name) === undefined)
const skip = missing.length > 0 && `there is no ${missing.join(' and no ')} here`

const ACCOUNT = { email: 'admin@example.com', password: 'correct horse battery' }

async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  assert.equal(answer.status, 200, url)
  return answer.json()
}

test('npm run cluster: HAProxy fails over from a killed hub, and all programs end together', { skip, timeout: 240_000 }, async () => {
  const listen = `127.0.0.1:${await freePort()}`
  const address = `http://${listen}`
  const cluster = startProgram('tools/cluster.ts', { args: ['--listen', listen] })
  const [first = ''] = await Promise.all([1, 2, 3].map((nth) => cluster.line(/^Hub \w listens on/, nth)))
  await cluster.line(/Three hubs are running/)
  const programs = childrenOf(cluster.pid)
  // Behind a proxy every client needs the set-up code.
  const setupCode = (await cluster.line(/^Set-up code/)).split(': ')[1]
  await post(`${address}/api/beszel/create-user`, { ...ACCOUNT, setupCode })
  const signedIn = await post(`${address}/api/collections/users/auth-with-password`, {
    identity: ACCOUNT.email,
    password: ACCOUNT.password,
  })
  const { token } = signedIn as { readonly token: string } // what this route answers
  const statuses = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${address}/api/collections/systems/records`, { headers: { authorization: token } })
    const { items } = (await answer.json()) as { readonly items: readonly { readonly status: string }[] }
    return items.map(({ status }) => status)
  }
  while ((await statuses())[0] !== 'up');

  const [, port = '', pid = ''] = /:(\d+), process (\d+)/.exec(first) ?? []
  process.kill(Number(pid), 'SIGKILL')
  await cluster.line(/^Hub a ended with SIGKILL/)
  await assert.rejects(once(createConnection(Number(port), '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
  // HAProxy sends requests for the killed hub to another hub.
  for (let request = 0; request < 10; request++) assert.deepEqual(await statuses(), ['up'])
  assert.equal(await cluster.stop(), 0)
  assert.deepEqual(programs.filter(isRunning), [])
})

test('npm run cluster: all programs end even if the main program is killed', { skip, timeout: 240_000 }, async () => {
  const cluster = startProgram('tools/cluster.ts', { args: ['--listen', `127.0.0.1:${await freePort()}`] })
  await cluster.line(/Three hubs are running/)
  const programs = childrenOf(cluster.pid).flatMap((pid) => [pid, ...childrenOf(pid)])
  // PostgreSQL, NATS and HAProxy each have a supervising process.
  assert.ok(programs.length >= 10, String(programs.length))
  await cluster.stop('SIGKILL')
  while (programs.some(isRunning)) await wait(50)
})
