import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAgentHandout } from './agent-handout.ts'

const address = 'https://hub.example.org/agent'
const sum = '0123456789abcdef'.repeat(4)

test('readAgentHandout reads the platforms of the executables and the checksums of the scripts', () => {
  const said = {
    version: '0.2.0',
    agents: [
      { platform: 'linux-x86_64', address: 'linux-x86_64/vedette-agent', sha256: sum },
      { platform: 'node', address: 'node/vedette-agent.mjs', sha256: sum },
    ],
    install: { address: 'install.sh', sha256: sum },
    service: '[Unit]',
    image: 'agent',
    hasUpdateHint: true,
  }
  assert.deepEqual(readAgentHandout(said, address), {
    address,
    platforms: ['linux-x86_64'],
    scriptSha256: sum,
    installSha256: sum,
    service: '[Unit]',
    newestVersion: '0.2.0',
    image: 'agent',
  })
  assert.equal(readAgentHandout({ ...said, hasUpdateHint: false }, address).newestVersion, undefined)
})

test('readAgentHandout ignores an invalid checksum, so that it reaches no shell command', () => {
  const { scriptSha256, installSha256 } = readAgentHandout(
    { agents: [{ platform: 'node', sha256: `'; reboot #` }], install: { sha256: `${sum}'` } },
    address,
  )
  assert.deepEqual([scriptSha256, installSha256], [undefined, ''])
})

for (const value of [undefined, null, [], 'x', { agents: {}, install: [] }]) {
  test(`readAgentHandout of ${JSON.stringify(value)} describes a hub without agents`, () =>
    assert.deepEqual(readAgentHandout(value, address).platforms, []))
}
