import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { test } from 'node:test'
import { hubProofText } from '@vedette/protocol/wire/hub-proof'
import ssh2 from 'ssh2'
import { databases } from '../databases.ts'
import { fleetOn } from '../running-fleet.ts'
import { webSocketAgent } from '../scripted-agent.ts'

const TOKEN = 'token-of-machine'
const identity = { fingerprint: 'this-machine' }

function isSigned(publicLine: string, text: string, signature: Uint8Array | undefined): boolean {
  const key = ssh2.utils.parseKey(publicLine)
  if (key instanceof Error || signature === undefined) return false
  return verify(null, Buffer.from(text), key.getPublicPEM(), signature)
}

for (const kind of databases) {
  test(`${kind.name}: the hub's proof covers the nonce of an agent that sent one, and only this text is signed`, async () => {
    await using fleet = await fleetOn(kind)
    const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
    await fleet.addToken(system.id, TOKEN)
    const nonce = 'ab'.repeat(32)
    const agent = webSocketAgent({ url: fleet.url, token: TOKEN, identity, nonce })
    await fleet.status(system.id, 'up')
    const [proof, ...more] = agent.proofs
    assert.deepEqual(more, [])
    assert.equal(proof?.coversNonce, true)
    assert.ok(isSigned(fleet.key.publicLine, hubProofText(nonce, TOKEN), proof?.signature))
    assert.ok(!isSigned(fleet.key.publicLine, TOKEN, proof?.signature))
    agent.close()
  })

  test(`${kind.name}: the hub's proof covers only the token if the nonce is missing or invalid`, async () => {
    await using fleet = await fleetOn(kind)
    const nonces = [undefined, '', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}0`, '__proto__']
    const check = async (nonce: string | undefined, index: number): Promise<void> => {
      const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
      const token = `${TOKEN}-${index}`
      await fleet.addToken(system.id, token)
      const known = { fingerprint: `machine-${index}` }
      const agent = webSocketAgent({ url: fleet.url, token, identity: known, ...(nonce === undefined ? {} : { nonce }) })
      await fleet.status(system.id, 'up')
      assert.equal(agent.proofs[0]?.coversNonce, undefined)
      assert.ok(isSigned(fleet.key.publicLine, token, agent.proofs[0]?.signature), JSON.stringify(nonce))
      agent.close()
    }
    await Promise.all(nonces.map(check))
  })
}
