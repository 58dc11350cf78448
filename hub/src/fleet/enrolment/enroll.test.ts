import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { adoptOrphans } from '../../accounts/first-run.ts'
import { collections } from '../../records/collections/collections.ts'
import { recordTableStore } from '../../records/engine/record-table-store.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { enrolment } from './enroll.ts'

for (const kind of databases) {
  test(`${kind.name}: enrolment finds an agent by token and fingerprint among many agents of one token, also after the token expired`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const clock = { now: () => 0 }
    const box = secretBox(randomBytes(32))
    let opens = 0
    // Counts decryptions: decrypting all tokens of other systems would make thousands of agents wait.
    const secrets = { ...box, open: (place: string, sealed: string) => ((opens += 1), box.open(place, sealed)) }
    const store = recordTableStore({ database, collections, secrets, clock })
    const { admit, resolve } = enrolment({
      db: database,
      records: store,
      secrets,
      clock,
      temporaryTokenOwner: () => undefined,
      readLocalToken: () => undefined,
    })
    const systems = await database.write(async (unit) => {
      const ids: string[] = []
      for (let at = 0; at < 60; at++) {
        const { id } = await store.insert(unit, 'systems', { name: `s${at}`, host: 'h', status: 'up', info: {}, users: [] })
        await store.insert(unit, 'fingerprints', { system: id, token: 'one-for-all', fingerprint: `fingerprint-${at}` })
        ids.push(id)
      }
      await store.insert(unit, 'universal_tokens', { user: 'u1', token: 'one-for-all' })
      return ids
    })
    const come = async (fingerprint: string) => {
      const admission = await admit('one-for-all')
      assert.ok(admission)
      const identity = { fingerprint, hostname: 'new' }
      return { ...(await resolve({ token: 'one-for-all', admission, remoteAddress: '10.0.0.1' }, identity)), kind: admission.kind }
    }
    opens = 0
    assert.deepEqual(await come('fingerprint-41'), { ok: true, system: systems[41], kind: 'enrolling' })
    assert.ok(opens <= 4, `${opens} secrets were opened`)
    const [token] = await store.loadWhere('universal_tokens', {})
    await database.write((unit) => store.remove(unit, 'universal_tokens', token?.id ?? ''))
    opens = 0
    assert.deepEqual(await come('fingerprint-17'), { ok: true, system: systems[17], kind: 'known' })
    assert.ok(opens <= 4, `${opens} secrets were opened`)
    assert.deepEqual(await come('fingerprint-60'), { ok: false, reason: 'fingerprint mismatch', kind: 'known' })
  })

  test(`${kind.name}: the hub's own machine belongs to the first admin, who is created while its agent connects`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const clock = { now: () => 0 }
    const secrets = secretBox(randomBytes(32))
    const store = recordTableStore({ database, collections, secrets, clock })
    const { admit, resolve } = enrolment({
      db: database,
      records: store,
      secrets,
      clock,
      temporaryTokenOwner: () => undefined,
      readLocalToken: () => 'local',
    })
    const admission = await admit('local')
    assert.ok(admission)
    const admin = await database.write(async (unit) => {
      const user = await store.insert(unit, 'users', { email: 'admin@example.com', password: '', role: 'admin', verified: true })
      await adoptOrphans(unit, store, user.id)
      return user.id
    })
    const resolved = await resolve({ token: 'local', admission, remoteAddress: '127.0.0.1' }, { fingerprint: 'f', hostname: 'here' })
    const [system] = await store.loadWhere('systems', {})
    assert.deepEqual(resolved, { ok: true, system: system?.id })
    assert.deepEqual(system?.['users'], [admin])
  })
}
