import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { before, test } from 'node:test'
import { hubKey } from '../agent/test/running-agent.ts'
import { SshHub } from '../agent/test/ssh-client.ts'
import { agentBundle, buildAgent } from '../tools/build-agent.ts'
import { scratchFolder, startProgram } from './programs.ts'

const bundle = 'agent/dist/vedette-agent.mjs'
/** What a release installs, without Node. */
const MAX_BYTES = 1_000_000

before(async () => {
  await buildAgent()
})

test('build:agent makes one file within its size, with the notices of what it bundles beside it', () => {
  const folder = agentBundle.slice(0, agentBundle.lastIndexOf('/'))
  assert.deepEqual(readdirSync(folder).toSorted(), ['licenses.txt', 'vedette-agent.mjs'])
  assert.ok(readFileSync(agentBundle).length <= MAX_BYTES)
  const notices = readFileSync(`${folder}/licenses.txt`, 'utf8')
  for (const name of ['ssh2', 'ws']) assert.match(notices, new RegExp(`\\b${name}\\b`))
})

test('the bundled agent answers a hub over SSH', async () => {
  using folder = scratchFolder()
  const program = startProgram(bundle, {
    environment: { KEY: hubKey.publicLine, DATA_DIR: folder.path, LISTEN: '127.0.0.1:0', DOCKER_HOST: '' },
  })
  const line = await program.line(/Waiting for the hub over SSH/)
  await using hub = await SshHub.connect(Number(/port (\d+)/.exec(line)?.[1]), hubKey.privateText)
  const { stdout, exitStatus } = await hub.shell(Buffer.from('a2000001a20019ea6001f5', 'hex'), { end: true })
  assert.equal(exitStatus, 0)
  assert.ok(stdout.length > 200)
  assert.equal(await program.stop(), 0)
})

test('the bundled agent prints a sample without anything installed beside it', async () => {
  const program = startProgram(bundle, { args: ['sample'], environment: { DOCKER_HOST: '' } })
  await program.line(/"memory"/)
  assert.equal(await program.ended(), 0)
})
