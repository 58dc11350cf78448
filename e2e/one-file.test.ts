import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { writeProgram } from '../tools/build-program.ts'
import { freePort } from '../tools/free-port.ts'
import { root } from '../tools/rules/source-tree.ts'
import { childrenOf, isRunning } from './process-tree.ts'
import { scratchFolder, startExecutable } from './programs.ts'

const account = { identity: 'admin@example.com', password: 'correct horse battery' }

const post = (url: string, body: object, token = '') =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', authorization: token }, body: JSON.stringify(body) })

describe('single executable, alone in a folder and without environment variables', { timeout: 240_000 }, () => {
  const made = new DisposableStack()
  let program = ''

  before(async () => {
    program = join(made.use(scratchFolder()).path, 'alone', 'vedette')
    await writeProgram({ node: process.execPath, output: program })
    rmSync(`${program}.sha256`)
  })

  after(() => made.dispose())

  const run = (...args: readonly string[]) => spawnSync(program, args, { cwd: join(program, '..'), env: {}, encoding: 'utf8' })

  test('vedette start: the hub serves its dashboard, agents and accounts, and this machine is up', async () => {
    const listen = `127.0.0.1:${await freePort()}`
    const address = `http://${listen}`
    const started = startExecutable(program, ['start', '--listen', listen])
    await started.line(/create the first admin/)
    const programs = childrenOf(started.pid)
    assert.equal(programs.length, 2)
    assert.deepEqual(readdirSync(join(program, '..')).toSorted(), ['data', 'vedette'])

    const page = await (await fetch(address)).text()
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''
    const loaded = await fetch(new URL(script, `${address}/`), { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([loaded.status, loaded.headers.get('content-encoding')], [200, 'br'])
    assert.match(await loaded.text(), /localStorage/)

    const { agents } = (await (await fetch(`${address}/agent/`)).json()) as {
      readonly agents: readonly { readonly address: string; readonly sha256: string; readonly bytes: number }[]
    } // the documented index
    const ofNode = agents.find((agent) => agent.address === 'node/vedette-agent.mjs')
    const agent = await (await fetch(`${address}/agent/node/vedette-agent.mjs`)).bytes()
    assert.deepEqual([createHash('sha256').update(agent).digest('hex'), agent.length], [ofNode?.sha256, ofNode?.bytes])
    const part = await fetch(`${address}/agent/node/vedette-agent.mjs`, { headers: { range: 'bytes=300000-600000' } })
    assert.deepEqual([part.status, await part.bytes()], [206, agent.subarray(300_000, 600_001)])
    assert.match(await (await fetch(`${address}/agent/node/licenses.txt`)).text(), /ssh2/)

    assert.equal((await post(`${address}/api/beszel/create-user`, { ...account, email: account.identity })).status, 200)
    const signedIn = await post(`${address}/api/collections/users/auth-with-password`, account)
    const { token } = (await signedIn.json()) as { readonly token: string }
    const isUp = async () => {
      const { items } = (await (
        await fetch(`${address}/api/collections/systems/records`, { headers: { authorization: token } })
      ).json()) as { readonly items: readonly { readonly status: string }[] } // what the records API answers
      return items.some(({ status }) => status === 'up')
    }
    while (!(await isUp()));
    const filter = encodeURIComponent("name ~ 'a' || name !~ 'a'")
    const filtered = await fetch(`${address}/api/collections/systems/records?filter=${filter}`, { headers: { authorization: token } })
    assert.equal(((await filtered.json()) as { readonly totalItems: number }).totalItems, 1)

    assert.match(run('user', 'list').stdout, /admin@example\.com +admin/)
    assert.deepEqual([run('backup', 'create', 'monday.zip').status, run('backup', 'verify', 'monday.zip').status], [0, 0])

    assert.equal(await started.stop('SIGINT'), 0)
    assert.deepEqual(programs.filter(isRunning), [])
    assert.equal(started.errors(), '')
  })

  test('vedette hub: a port in use is refused with a sentence, and nothing is written', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { readonly port: number } // a TCP server's
    const refused = run('hub', '--listen', `127.0.0.1:${port}`, '--data', 'elsewhere')
    server.close()
    assert.deepEqual([refused.status, refused.stdout], [1, ''])
    assert.match(refused.stderr, new RegExp(`127\\.0\\.0\\.1:${port}`))
    assert.equal(refused.stderr.trim().split('\n').length, 1)
    assert.equal(existsSync(join(program, '..', 'elsewhere')), false)
  })

  test('vedette hub --run-as, started by root: owns its data, serves as that user without groups, and commands join it', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can change users')
    const user = '65532'
    const folder = dirname(dirname(program))
    chmodSync(folder, 0o755)
    const data = join(folder, 'owned')
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(join(data, 'of-root'), '', { mode: 0o600 })
    const listen = `127.0.0.1:${await freePort()}`
    const options = ['--data', data, '--run-as', user]
    const hub = startExecutable(program, ['hub', '--listen', listen, ...options])
    await hub.line(/listens on/)
    const status = readFileSync(`/proc/${hub.pid}/status`, 'utf8')
    const valueOf = (name: string) => new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(status)?.[1]
    const ids = Array(4).fill(user).join('\t')
    assert.deepEqual([valueOf('Uid'), valueOf('Gid'), valueOf('Groups'), valueOf('CapEff')], [ids, ids, '', '0'.repeat(16)])
    assert.equal(run('user', 'list', ...options).status, 0)
    for (const name of ['', ...readdirSync(data)]) assert.equal(statSync(join(data, name)).uid, Number(user), name)
    assert.deepEqual([run('health', '--listen', listen).status, await hub.stop(), run('health', '--listen', listen).status], [0, 0, 1])

    symlinkSync('/var', join(folder, 'link'))
    const refused = run('hub', '--data', join(folder, 'link'), '--run-as', user)
    assert.deepEqual([refused.status, statSync('/var').uid], [1, 0])
    assert.match(refused.stderr, /^Cannot give the folder "[^"]+" to user 65532: ENOTDIR\..*\n$/)
  })

  test('the executable contains no path of the machine that built it, so that two builds are equal', () => {
    const bytes = readFileSync(program)
    assert.equal(bytes.indexOf(join(root, 'program')), -1)
    assert.equal(bytes.indexOf(dirname(program)), -1)
  })

  test('commands without a hub: version, help, an unknown command, and the end of a process with a status', () => {
    assert.deepEqual([run('--version').stdout, run('--version').status], [`${VEDETTE_VERSION}\n`, 0])
    assert.match(run('--help').stdout, /vedette start .*\n.*vedette hub/)
    assert.match(run('hub', '--help').stdout, /--listen ADDRESS/)
    assert.match(run('agent', '--help').stdout, /HUB_URL/)
    const unknown = run('usr', 'list')
    assert.deepEqual([unknown.status, /user list/.test(unknown.stderr)], [2, true])
    assert.equal(run('--exit', '3').status, 3)
  })
})
