import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { AgentHandout } from '../../api/agent-handout.ts'
import { fileCommand, fileLine, installLine, removeLine } from './install-texts.ts'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIc0SQDDUDBPKyMRVxbxDgHJnDJzKn9cXP8UnBVQ9gmF'
const sum = 'a'.repeat(64)
const handout: AgentHandout = {
  address: 'https://hub.example.org/monitor/agent',
  platforms: ['linux-x86_64'],
  scriptSha256: sum,
  installSha256: sum,
  service: '',
  newestVersion: undefined,
  image: 'agent',
}

test('fileCommand passes the key and the port to the agent file', () =>
  assert.equal(fileCommand({ port: '45999', publicKey }), `KEY="${publicKey}" PORT=45999 node vedette-agent.mjs`))

test('installLine verifies the checksum of the script before it runs it with the key and the port', () => {
  const line = installLine({ port: '45999', publicKey }, handout)
  assert.doesNotMatch(line, /\n/)
  const steps = line.split(' && ')
  const check = steps.indexOf(`echo '${sum}  install.sh' | sha256sum -c -`)
  const run = steps.findIndex((step) => step.startsWith('$(command -v sudo) sh install.sh'))
  assert.ok(check > 0 && run === check + 1, line)
  assert.equal(steps[run], `$(command -v sudo) sh install.sh 'https://hub.example.org/monitor/agent' KEY='${publicKey}' PORT=45999)`)
})

test('installLine and fileCommand pass the hub address and the token to an agent that connects to the hub', () => {
  const dials = { hubUrl: 'https://hub.example.org/monitor', token: "it's" }
  const told = ` PORT=45876 HUB_URL='https://hub.example.org/monitor' TOKEN='it'\\''s'`
  assert.ok(installLine({ port: '45876', publicKey, dials }, handout).endsWith(`${told})`))
  assert.ok(fileCommand({ port: '45876', publicKey, dials }).includes(`${told} node`))
})

for (const [what, line] of [
  ['installLine', installLine({ port: '45876', publicKey }, handout)],
  ['fileLine', fileLine({ port: '45876', publicKey }, handout, sum)],
  ['removeLine', removeLine],
] as const) {
  test(`${what} is valid shell syntax`, () => {
    execFileSync('sh', ['-nc', line])
  })
}

for (const typed of ['', 'x', '1; reboot', '$(reboot)', '/run/agent.sock']) {
  test(`fileCommand and installLine use the agent's default port for "${typed}"`, () => {
    assert.match(fileCommand({ port: typed, publicKey }), / PORT=45876 node /)
    assert.match(installLine({ port: typed, publicKey }, handout), / PORT=45876\)$/)
  })
}
