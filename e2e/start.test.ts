import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { childrenOf, isRunning } from './process-tree.ts'
import { scratchFolder, startProgram } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

async function signIn(address: string, { email, password }: { readonly email: string; readonly password: string }): Promise<string> {
  const answer = await fetch(`${address}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: email, password }),
  })
  const { token } = (await answer.json()) as { readonly token: string }
  return token
}

async function systemsOf(address: string, token: string): Promise<readonly { readonly status: string }[]> {
  const answer = await fetch(`${address}/api/collections/systems/records`, { headers: { authorization: token } })
  const { items } = (await answer.json()) as { readonly items: readonly { readonly status: string }[] }
  return items
}

test('npm start: hub and agent start and end together, and a second start keeps the data', { timeout: 300_000 }, async () => {
  using folder = scratchFolder()
  const data = join(folder.path, 'data')
  const args = ['--listen', `127.0.0.1:${await freePort()}`, '--data', data]
  const address = `http://${args[1]}`

  const first = startProgram('tools/start.ts', { args })
  await first.line(/Vedette is running at/)
  await first.line(/create the first admin/)
  assert.equal(statSync(join(data, 'agent', 'token')).mode & 0o777, 0o600)
  const programs = childrenOf(first.pid)
  assert.equal(programs.length, 2)
  const account = { email: 'admin@example.com', password: 'correct horse battery' }
  const created = await fetch(`${address}/api/beszel/create-user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  assert.equal(created.status, 200)
  const token = await signIn(address, account)
  while ((await systemsOf(address, token)).every(({ status }) => status !== 'up'));
  assert.equal(await first.stop('SIGINT'), 0)
  assert.deepEqual(programs.filter(isRunning), [])
  assert.deepEqual(
    first
      .errors()
      .split('\n')
      .filter((line) => line !== '' && !/^(Building|Built) the dashboard/.test(line)),
    [],
  )

  const second = startProgram('tools/start.ts', { args })
  await second.line(/sign in/)
  const systems = await systemsOf(address, await signIn(address, account))
  assert.equal(systems.length, 1, 'this machine registered once')
  assert.equal(await second.stop(), 0)
})

test('npm start: if the hub cannot start, the program prints its error and exits', { timeout: 300_000 }, async () => {
  using folder = scratchFolder()
  const program = startProgram('tools/start.ts', { args: ['--listen', 'nowhere', '--data', folder.path] })
  await program.line(/--listen: "nowhere" is not HOST:PORT/)
  assert.equal(await program.ended(), 2)
  assert.deepEqual(readdirSync(folder.path), [])
})
