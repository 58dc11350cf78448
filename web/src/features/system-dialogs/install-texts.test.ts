import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileCommand, systemdUnit } from './install-texts.ts'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIc0SQDDUDBPKyMRVxbxDgHJnDJzKn9cXP8UnBVQ9gmF'

test('fileCommand gives the file the key and the port', () =>
  assert.equal(fileCommand({ port: '45999', publicKey }), `KEY="${publicKey}" PORT=45999 node vedette-agent.mjs`))

test('systemdUnit gives the same to a service', () =>
  assert.ok(systemdUnit({ port: '45999', publicKey }).includes(`Environment="KEY=${publicKey}" PORT=45999\n`)))

for (const typed of ['', 'x', '1; reboot', '$(reboot)', '/run/agent.sock']) {
  test(`a command takes the agent's own port for "${typed}"`, () => {
    assert.match(fileCommand({ port: typed, publicKey }), / PORT=45876 node /)
    assert.match(systemdUnit({ port: typed, publicKey }), / PORT=45876\n/)
  })
}
