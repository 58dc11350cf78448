import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hubKey, RunningAgent, wrongKey } from './running-agent.ts'
import { portOf } from './ssh-client.ts'

/** OpenSSH's client represents all other implementations of the protocol. */
const version = spawnSync('ssh', ['-V'], { encoding: 'utf8' })
const skip = version.error === undefined ? false : 'there is no ssh here'
const timeout = 120_000

const agent = RunningAgent.start({ LISTEN: '127.0.0.1:0' })
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-openssh-'))
  for (const [name, { privateText }] of Object.entries({ right: hubKey, wrong: wrongKey })) {
    await writeFile(join(folder, name), privateText)
    await chmod(join(folder, name), 0o600)
  }
})
after(async () => {
  await (await agent)[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

type Run = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** Runs `ssh OPTIONS u@127.0.0.1 COMMAND` without this machine's settings, and closes its input. */
async function ssh(options: readonly string[], command: readonly string[] = []): Promise<Run> {
  const known = ['-F', 'none', '-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(folder, 'known')}`]
  const own = ['-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none', '-o', 'BatchMode=yes', '-p', String(await (await agent).sshPort())]
  return new Promise((resolve) => {
    const child = execFile('ssh', [...known, ...own, ...options, 'u@127.0.0.1', ...command], (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
    child.stdin?.end()
  })
}

const withKey = (name: 'right' | 'wrong'): readonly string[] => ['-i', join(folder, name)]

/** The document for a client that sends no version. */
const isDocument = (text: string): boolean => Object.keys(JSON.parse(text) as object).join() === 'stats,info,container'

test('OpenSSH with the right key gets a response', { skip, timeout }, async () => {
  const { status, stdout, stderr } = await ssh([...withKey('right'), '-T'])
  assert.equal(status, 0, stderr)
  assert.ok(isDocument(stdout))
})

test('OpenSSH with a command gets the same response, and the command is not run', { skip, timeout }, async () => {
  const mark = join(folder, 'mark')
  const { status, stdout, stderr } = await ssh(withKey('right'), ['touch', mark])
  assert.equal(status, 0, stderr)
  assert.ok(isDocument(stdout))
  await assert.rejects(rm(mark))
})

test('OpenSSH with a wrong key is refused', { skip, timeout }, async () => {
  const { status, stdout, stderr } = await ssh(withKey('wrong'))
  assert.deepEqual([status, stdout], [255, ''])
  assert.match(stderr, /Permission denied \(publickey\)/)
})

test('OpenSSH with a password or without credentials is refused', { skip, timeout }, async () => {
  for (const method of ['password', 'keyboard-interactive', 'none']) {
    const { status, stderr } = await ssh([
      '-o',
      `PreferredAuthentications=${method}`,
      '-o',
      'BatchMode=no',
      '-o',
      'NumberOfPasswordPrompts=1',
    ])
    assert.equal(status, 255)
    assert.match(stderr, /Permission denied \(publickey\)/)
  }
})

test('OpenSSH gets no terminal, no subsystem and no forwarded port', { skip, timeout }, async () => {
  assert.match((await ssh([...withKey('right'), '-tt'])).stderr, /PTY allocation request failed/)
  assert.match((await ssh([...withKey('right'), '-s'], ['sftp'])).stderr, /subsystem request failed/)
  const remote = await ssh([...withKey('right'), '-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:22'])
  assert.equal(remote.status, 255)
  assert.match(remote.stderr, /remote port forwarding failed/)
  const forwarded = await ssh([...withKey('right'), '-W', '127.0.0.1:22'])
  assert.equal(forwarded.status, 255)
  assert.match(forwarded.stderr, /administratively prohibited|open failed/)
})

test('OpenSSH may open a local port forward, but data sent through it goes nowhere', { skip, timeout }, async () => {
  const reserved = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => reserved.on('listening', resolve))
  const port = portOf(reserved.address())
  await new Promise((resolve) => reserved.close(resolve))
  const aim = createServer(() => assert.fail('the agent connected')).listen(0, '127.0.0.1')
  await new Promise((resolve) => aim.on('listening', resolve))
  const forward = `127.0.0.1:${port}:127.0.0.1:${portOf(aim.address())}`
  // The master process is stopped after the agent refused the forwarded connection.
  const socket = join(folder, 'control')
  const master = await ssh([...withKey('right'), '-N', '-f', '-M', '-S', socket, '-L', forward])
  assert.equal(master.status, 0, master.stderr)
  const client = connect(port, '127.0.0.1')
  await new Promise((resolve) => client.on('close', resolve))
  assert.equal((await ssh(['-S', socket, '-O', 'exit'])).status, 0)
  await new Promise((resolve) => aim.close(resolve))
})

test('OpenSSH gets its response despite repeated key exchanges', { skip, timeout }, async () => {
  const { status, stdout, stderr } = await ssh([...withKey('right'), '-v', '-o', 'RekeyLimit=64', '-T'])
  assert.equal(status, 0, stderr)
  assert.ok(isDocument(stdout))
  assert.ok((stderr.match(/SSH2_MSG_NEWKEYS received/g)?.length ?? 0) >= 2, stderr)
})
