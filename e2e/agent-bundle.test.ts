import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { hubKey } from '../agent/test/running-agent.ts'
import { SshHub } from '../agent/test/ssh-client.ts'
import { agentBundle } from '../tools/build-agent.ts'
import { fileCommand } from '../web/src/features/system-dialogs/install-texts.ts'
import { scratchFolder, startProgram } from './programs.ts'

const bundle = 'agent/dist/vedette-agent.mjs'
/** Size limit of the agent's bundle, without Node. */
const MAX_BYTES = 1_000_000

test('build:agent writes one file within its size limit, and the notices of its bundled packages beside it', () => {
  const folder = agentBundle.slice(0, agentBundle.lastIndexOf('/'))
  const besides = [
    '.built-from',
    'licenses.txt',
    'sbom.cdx.json',
    'vedette-agent.mjs',
    'vedette-agent.mjs.sha256',
    'vedette-agent.mjs.version',
  ]
  assert.deepEqual(readdirSync(folder).toSorted(), besides)
  assert.ok(readFileSync(agentBundle).length <= MAX_BYTES)
  const notices = readFileSync(`${folder}/licenses.txt`, 'utf8')
  for (const name of ['ssh2', 'ws']) assert.match(notices, new RegExp(`\\b${name}\\b`))
})

test('bundled agent responds to a hub over SSH', async () => {
  using folder = scratchFolder()
  const program = startProgram(bundle, {
    environment: { KEY: hubKey.publicLine, DATA_DIR: folder.path, LISTEN: '127.0.0.1:0', DOCKER_HOST: '' },
  })
  const line = await program.line(/Waiting for the hub over SSH/)
  await using hub = await SshHub.connect(Number(/(\d+)\D*$/.exec(line)?.[1]), hubKey.privateText)
  const { stdout, exitStatus } = await hub.shell(Buffer.from('a2000001a20019ea6001f5', 'hex'), { end: true })
  assert.equal(exitStatus, 0)
  assert.ok(stdout.length > 200)
  assert.equal(await program.stop(), 0)
})

test('command of the Add System dialog starts the bundled agent', async () => {
  using folder = scratchFolder()
  const child = spawn('sh', ['-c', `exec env ${fileCommand({ port: '0', publicKey: hubKey.publicLine })}`], {
    cwd: agentBundle.slice(0, agentBundle.lastIndexOf('/')),
    env: { PATH: `${process.execPath.slice(0, process.execPath.lastIndexOf('/'))}:/usr/bin:/bin`, DATA_DIR: folder.path, DOCKER_HOST: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString()
      if (/Waiting for the hub over SSH/.test(said)) resolve()
    })
    child.once('exit', () => reject(new Error(said)))
  })
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.equal((await ended)[0], 0)
})

test('bundled agent prints a sample without installed packages', async () => {
  const program = startProgram(bundle, { args: ['sample'], environment: { DOCKER_HOST: '' } })
  await program.line(/"memory"/)
  assert.equal(await program.ended(), 0)
})

const NOBODY = '65534'
const isRoot = process.getuid?.() === 0
/** A mount namespace with a read-only root, and a user without capabilities. */
const readOnlyRoot =
  'mount --make-rprivate / && mount -o remount,bind,ro / && exec setpriv --reuid "$0" --regid "$0" --clear-groups -- "$@"'

test(
  'bundled agent samples as nobody on a read-only root without /sys, /etc and an engine',
  { skip: isRoot ? false : 'only root can take its rights away' },
  async () => {
    const child = spawn('unshare', ['--mount', 'sh', '-ec', readOnlyRoot, NOBODY, process.execPath, agentBundle, 'sample'], {
      env: { HOST_SYS: '/none', HOST_ETC: '/none', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    assert.equal(errors, '')
    const sample = JSON.parse(output) as Sample
    assert.ok(sample.cpu && sample.memory && sample.uptimeSeconds && sample.load && sample.machine)
    assert.equal(sample.containers, undefined)
  },
)

test(
  'bundled agent responds to a hub without a writable folder',
  { skip: isRoot ? false : 'only root can take its rights away' },
  async () => {
    const child = spawn('unshare', ['--mount', 'sh', '-ec', readOnlyRoot, NOBODY, process.execPath, agentBundle], {
      env: { KEY: hubKey.publicLine, LISTEN: '127.0.0.1:0', HOST_SYS: '/none', DOCKER_HOST: '', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    const port = await new Promise<number>((resolve) => {
      child.stderr.on('data', (piece: Buffer) => {
        said += piece.toString()
        const [, digits] = /over SSH address=\S*?(\d+)"?\s/.exec(said) ?? []
        if (digits !== undefined) resolve(Number(digits))
      })
    })
    assert.match(said, /No data folder can be written/)
    {
      await using hub = await SshHub.connect(port, hubKey.privateText)
      const { exitStatus } = await hub.shell(Buffer.from('a2000001a20019ea6001f5', 'hex'), { end: true })
      assert.equal(exitStatus, 0)
    }
    child.kill('SIGTERM')
    assert.equal((await once(child, 'exit'))[0], 0)
  },
)
