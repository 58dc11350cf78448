import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeText } from './compose-text.ts'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIc0SQDDUDBPKyMRVxbxDgHJnDJzKn9cXP8UnBVQ9gmF'
const lines = composeText({ port: '45876', publicKey }, 'vedette-monitor/vedette-agent')
  .split('\n')
  .map((line) => line.trim())

for (const [what, line] of [
  ['the agent image', 'image: "vedette-monitor/vedette-agent"'],
  ['the host network', 'network_mode: host'],
  ['the engine socket, mounted read only', '- /var/run/docker.sock:/var/run/docker.sock:ro'],
  ['the port', 'PORT: 45876'],
  ['the public key', `KEY: "${publicKey}"`],
  ['the restart policy', 'restart: unless-stopped'],
] as const) {
  test(`§9 copy-compose output: composeText has ${what}`, () => assert.ok(lines.includes(line)))
}

test('composeText contains the hub address and the token for an agent that connects to the hub, safely quoted', () => {
  const dials = { hubUrl: 'https://hub.example.org', token: 'a"$b' }
  const text = composeText({ port: '45876', publicKey, dials }, 'agent')
  assert.match(text, /^ {6}HUB_URL: "https:\/\/hub\.example\.org"\n {6}TOKEN: "a\\"\$\$b"$/m)
})

test('§9 copy-compose output: composeText leaves FILESYSTEM as a comment', () => {
  assert.ok(lines.some((line) => line.startsWith('# FILESYSTEM: ')))
})
