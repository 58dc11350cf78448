import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { apiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import type { KeyScope } from '../../src/records/model/key-scope.ts'
import { parseSources } from '../../src/records/model/tag.ts'
import { databases, silentLog } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { fleetOn, type RunningFleet } from '../running-fleet.ts'
import { bytesOf, documentReply, machineSample } from '../scripted-agent.ts'
import { engineOn } from '../test-engine.ts'

async function ownedKeys(fleet: RunningFleet) {
  const values = { email: 'a@example.com', password: 'x', username: 'aaa', role: 'user', verified: true }
  const owner = await fleet.write((unit) => fleet.records.insert(unit, 'users', values))
  const keys = apiKeys({ ...engineOn(fleet.database), log: silentLog })
  return { owner, keys, create: (scope: KeyScope) => keys.create(owner, { name: scope, scope, expiresMs: undefined }) }
}

/** An agent with this token that identifies itself by this fingerprint. */
const agentWith = (fleet: RunningFleet, token: string, fingerprint: string) =>
  framingAgent({
    url: fleet.url,
    token,
    answer: (message) =>
      message.request.action === 'fingerprint'
        ? [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint, hostname: 'web' } }, message.id))]
        : [bytesOf(encodeEnvelope(documentReply(machineSample), message.id))],
  })

const untilUp = (fleet: RunningFleet) =>
  fleet.seen(({ collection, record: { status } }) => collection === 'systems' && status === 'up').then(({ record }) => record)

/** HTTP status with which the hub refuses an agent's connection. */
async function refusalOf(fleet: RunningFleet, token: string): Promise<number> {
  const headers = { 'x-token': token, 'x-beszel': '0.18.8', connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(fleet.url.replace('ws:', 'http:'), { headers: { ...headers, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' } })
    .on('response', ({ statusCode = 0 }) => resolve(statusCode))
    .on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(101)
    })
    .on('error', reject)
    .end()
  return promise
}

for (const kind of databases) {
  test(`${kind.name}: an agent enrols with an ingest key, and the database holds no text of the key`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const { owner, keys, create } = await ownedKeys(fleet)
    const { key, id } = await create('ingest')
    const agent = agentWith(fleet, key, 'machine-one')
    const system = await untilUp(fleet)
    assert.deepEqual(system['users'], [owner.id])
    const [held] = await fleet.records.loadWhere('fingerprints', { system: system.id })
    assert.match(String(held?.['token']), /^sha256:[0-9a-f]{64}$/)
    assert.equal((await keys.list(owner.id))[0]?.usedMs !== undefined, true)
    assert.equal(await refusalOf(fleet, String(held?.['token'])), 400)
    agent.close()
    await agent.closedWith

    // Like a universal token: revoked, it enrols no other machine, but its systems reconnect.
    await keys.revoke(owner, id)
    fleet.forget()
    const again = agentWith(fleet, key, 'machine-one')
    assert.equal((await untilUp(fleet)).id, system.id)
    again.close()
    await again.closedWith
    const other = agentWith(fleet, key, 'machine-two')
    assert.equal((await other.closedWith).reason, 'fingerprint mismatch')
    assert.equal((await fleet.records.loadWhere('systems', {})).length, 1)
  })

  test(`${kind.name}: keys of another scope, revoked keys and keys of read-only or unverified owners enrol no agent`, async () => {
    await using fleet = await fleetOn(kind)
    const { owner, keys, create } = await ownedKeys(fleet)
    for (const scope of ['read', 'write'] as const) assert.equal(await refusalOf(fleet, (await create(scope)).key), 401, scope)
    const { key, id } = await create('ingest')
    assert.equal(await refusalOf(fleet, key), 101)
    for (const values of [{ role: 'readonly' }, { role: 'user', verified: false }]) {
      await fleet.write((unit) => fleet.records.update(unit, 'users', owner.id, values))
      assert.equal(await refusalOf(fleet, key), 401, JSON.stringify(values))
    }
    await fleet.write((unit) => fleet.records.update(unit, 'users', owner.id, { verified: true }))
    assert.equal(await refusalOf(fleet, key), 101)
    await keys.revoke(owner, id)
    assert.equal(await refusalOf(fleet, key), 401)
    assert.equal(await refusalOf(fleet, `vdt_${'0'.repeat(50)}`), 401)
    const expiresMs = Date.now() - 1
    assert.equal(await refusalOf(fleet, (await keys.create(owner, { name: 'old', scope: 'ingest', expiresMs })).key), 401)
    assert.deepEqual(await fleet.records.loadWhere('systems', {}), [])
  })

  test(`${kind.name}: the tags of an ingest key give access only if its owner is an admin at the enrolment`, async () => {
    await using fleet = await fleetOn(kind)
    const { owner, keys } = await ownedKeys(fleet)
    const tags = ['env=prod', 'home']
    const { key } = await keys.create(owner, { name: 'tagged', scope: 'ingest', tags, expiresMs: undefined })
    for (const [role, source, accessTags] of [
      ['user', 'person', []],
      ['admin', 'token', tags],
    ] as const) {
      await fleet.write((unit) => fleet.records.update(unit, 'users', owner.id, { role }))
      fleet.forget()
      const agent = agentWith(fleet, key, `machine of ${role}`)
      const system = await untilUp(fleet)
      assert.deepEqual(system['tags'], tags)
      assert.deepEqual(
        parseSources(system['tagSources']),
        tags.map((tag) => ({ tag, sources: [source] })),
      )
      assert.deepEqual(system['accessTags'], accessTags)
      agent.close()
      await agent.closedWith
    }
  })
}
