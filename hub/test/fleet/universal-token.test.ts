import assert from 'node:assert/strict'
import { test } from 'node:test'
import { universalTokensOf } from '../../src/accounts/universal-token.ts'
import { enrolment } from '../../src/fleet/enrolment/enroll.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const alice = dataset.aliases['alice'] ?? ''
const bob = dataset.aliases['bob'] ?? ''

/** The tokens of a hub, and a function that returns the user to whom a token enrols agents. */
async function tokensOf(hub: RecordedHub, clock: { readonly now: () => number }) {
  const { database, store, secrets } = hub.engine
  const tokens = await universalTokensOf({ database, records: store, secrets, bus: hub.test.bus, clock })
  const { admit } = enrolment({
    db: database,
    records: store,
    secrets,
    clock,
    temporaryTokenOwner: tokens.temporaryTokenOwner,
    readLocalToken: () => undefined,
  })
  return {
    tokens,
    ownerOf: async (token: string): Promise<string | undefined> => {
      const admission = await admit(token)
      return admission?.kind === 'enrolling' ? admission.owner : undefined
    },
  }
}

for (const kind of databases) {
  test(`${kind.name}: a temporary token enrols agents for an hour, and a permanent token until it is revoked`, async () => {
    await using hub = await recordedHub(kind)
    let nowMs = Date.UTC(2024, 0, 1)
    const { tokens, ownerOf } = await tokensOf(hub, { now: () => nowMs })
    await tokens.enable(alice, 'lent', false)
    nowMs += 3_599_999
    assert.equal(await ownerOf('lent'), alice)
    nowMs += 1
    assert.equal(await ownerOf('lent'), undefined)
    assert.equal((await tokens.read(alice, 'lent')).active, false)

    await tokens.enable(alice, 'kept', true)
    nowMs += 365 * 86_400_000
    assert.equal(await ownerOf('kept'), alice)
    assert.deepEqual(await tokens.read(alice, ''), { token: 'kept', active: true, permanent: true })
    await tokens.disable(alice)
    assert.equal(await ownerOf('kept'), undefined)
  })

  test(`${kind.name}: a user has one universal token, and cannot take another user’s token`, async () => {
    await using hub = await recordedHub(kind)
    const { tokens, ownerOf } = await tokensOf(hub, { now: () => 0 })
    await tokens.enable(alice, 'first', true)
    await tokens.enable(alice, 'second', false)
    assert.equal(await ownerOf('first'), undefined)
    assert.equal(await ownerOf('second'), alice)
    await assert.rejects(tokens.enable(alice, 'universal-token-of-bob', true), { status: 400 })
    await assert.rejects(tokens.enable(bob, 'second', false), { status: 400 })
    await assert.rejects(tokens.enable(bob, 'x'.repeat(65), true), { status: 400 })
    assert.equal(await ownerOf('universal-token-of-bob'), bob)
    assert.equal(await ownerOf('second'), alice)
    assert.equal(await ownerOf(''), undefined)
  })
}
