import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import { loadReaders } from '../../src/alerts/incidents/incident-access.ts'
import { databases, silentLog } from '../databases.ts'
import { callers, idOf, SYSTEM, TAG, taggedSystem, type Caller } from '../tagged-system.ts'

type Scene = Awaited<ReturnType<typeof taggedSystem>>

const people = (Object.keys(callers) as Caller[]).filter((one) => one !== 'guest' && one !== 'superuser') // its keys

/** Notifications of a person about the alert of another one, and whether they say that the alert was escalated to that person. */
const notices: readonly (readonly [name: string, transition: string, state: string, isEscalated: boolean])[] = [
  ['told', 'escalated-5', 'handed', true],
  ['worse', 'escalated-worse-5', 'handed', true],
  ['waits', 'escalated-5', 'new', false],
  ['held', 'escalated-5', 'held', false],
  ['unsent', 'escalated-5', 'quiet', false],
  ['ended', 'resolved-5', 'handed', false],
  ['nobody', 'unreached-5', 'handed', false],
  ['fired', 'fired', 'handed', false],
]

const ownerOf = (person: Caller): Caller => (person === 'owner' ? 'admin' : 'owner')
const idFor = (name: string, person: Caller): string => `${name}-${person}`

async function writeIncident({ hub }: Scene, id: string, owner: string): Promise<void> {
  const rule = { alert: 'rule-of-owner', system: SYSTEM, kind: 'CPU', target: '', threshold: 80, minutes: 1, value: 90 }
  const values = { id, owner, ...rule, began: hub.engine.clock.now() - 1000, ended: null, ending: '', remind: 1e15, escalate: 1e15 }
  await hub.engine.database.write(({ sql }) => sql.insertInto('incidents').values(values).execute())
}

async function writeNotice({ hub }: Scene, incident: string, owner: string, [transition, state]: readonly [string, string]): Promise<void> {
  const at = hub.engine.clock.now()
  const values = { id: `n-${incident}-${owner}`, incident, transition, owner, system: SYSTEM, at, due: at, state, body: '{}' }
  await hub.engine.database.write(({ sql }) => sql.insertInto('notices').values(values).execute())
}

/** For each person, incidents of an alert of somebody else: one for each notification, and one without. */
async function writeAll(scene: Scene): Promise<void> {
  for (const person of people) {
    const owner = idOf(ownerOf(person))
    for (const [name, transition, state] of notices) {
      await writeIncident(scene, idFor(name, person), owner)
      await writeNotice(scene, idFor(name, person), idOf(person), [transition, state])
    }
    await writeIncident(scene, idFor('other', person), owner)
  }
}

type Item = { readonly [field: string]: unknown }

async function listed(scene: Scene, caller: Caller): Promise<readonly Item[]> {
  const { text } = await scene.ask(caller, 'GET /api/vedette/incidents?limit=500')
  return (JSON.parse(text) as { readonly items: readonly Item[] }).items // as the route declares
}

const acknowledge = (scene: Scene, caller: Caller, id: string, json = {}) =>
  scene.ask(caller, `POST /api/vedette/incidents/${id}/acknowledge`, json)

for (const kind of databases) {
  test(`${kind.name}: an alert is open to those to whom it was escalated while they may view its system, and to nobody else`, async () => {
    await using scene = await taggedSystem(kind)
    await writeAll(scene)
    for (const givesAccess of [false, true]) {
      await scene.setTags(givesAccess ? [{ tag: TAG, sources: ['admin'] }] : [])
      for (const person of people) {
        const { always, byTag } = callers[person]
        const mayView = (givesAccess ? byTag : always) !== 'none'
        const others = (await listed(scene, person)).filter(({ ownerName }) => ownerName !== undefined).map(({ id }) => id)
        const open = notices.filter(([, , , isEscalated]) => mayView && isEscalated).map(([name]) => idFor(name, person))
        assert.deepEqual(others.toSorted(), open.toSorted(), `${person} lists`)
        for (const name of [...notices.map(([one]) => one), 'other']) {
          const { status } = await acknowledge(scene, person, idFor(name, person), { snoozeMinutes: 5 })
          assert.equal(status, open.includes(idFor(name, person)) ? 204 : 404, `${person} acknowledges ${name}`)
        }
        // The incident of another person's escalation.
        const stranger = person === 'viewer' ? 'changer' : 'viewer'
        if (ownerOf(stranger) !== person) assert.equal((await acknowledge(scene, person, idFor('told', stranger))).status, 404, person)
      }
      for (const caller of ['guest', 'superuser'] as const)
        assert.equal((await acknowledge(scene, caller, 'told-viewer')).status, caller === 'guest' ? 401 : 404)
    }
  })

  test(`${kind.name}: the person sees the alert without rule, addresses and other people's email, and cannot change what is the owner's`, async () => {
    await using scene = await taggedSystem(kind)
    const { store, database } = scene.hub.engine
    await scene.setTags([{ tag: TAG, sources: ['admin'] }])
    const owner = idOf('owner')
    const alert = await database.write((unit) =>
      store.insert(unit, 'alerts', { user: owner, system: SYSTEM, name: 'CPU', value: 80, min: 1, triggered: true }),
    )
    const past = { id: 'told-viewer0001', user: owner, system: SYSTEM, name: 'CPU', value: 80, alert_id: alert.id }
    await database.write((unit) => store.insert(unit, 'alerts_history', past))
    await writeIncident(scene, past.id, owner)
    await writeNotice(scene, past.id, idOf('viewer'), ['escalated-5', 'handed'])
    await writeNotice(scene, past.id, idOf('changer'), ['escalated-9', 'handed'])
    const [shown] = await listed(scene, 'viewer')
    assert.partialDeepStrictEqual(shown, { id: past.id, alert: '', ownerName: '', system: SYSTEM, acknowledger: '' })
    assert.equal(shown?.['escalated'], undefined)

    assert.equal((await acknowledge(scene, 'owner', past.id, { note: 'mine' })).status, 204)
    const text = async (caller: Caller) => JSON.stringify(await listed(scene, caller))
    assert.ok((await text('owner')).includes('"acknowledger":"owner@x.y"'))
    assert.ok(!(await text('viewer')).includes('@'))
    assert.equal((await acknowledge(scene, 'viewer', past.id, { note: 'on it' })).status, 204)
    assert.ok((await text('viewer')).includes('"acknowledger":"viewer@x.y"'))
    assert.ok(!(await text('changer')).includes('@'))
    await database.write((unit) => store.update(unit, 'users', owner, { name: 'Ada' }))
    await database.write((unit) => store.update(unit, 'users', idOf('viewer'), { name: 'Vera' }))
    assert.equal((await acknowledge(scene, 'viewer', past.id)).status, 204)
    assert.partialDeepStrictEqual((await listed(scene, 'changer'))[0], { ownerName: 'Ada', acknowledger: 'Vera' })

    // Lists of clients of other makes, and everything else that the owner has.
    const records = (collection: string) => `/api/collections/${collection}/records`
    for (const call of [`${records('alerts')}/${alert.id}`, `${records('alerts_history')}/${past.id}`]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const { status } = await scene.ask('viewer', `${method} ${call}`, method === 'PATCH' ? {} : undefined)
        assert.ok([403, 404].includes(status), `${method} ${call}: ${status}`)
      }
    }
    for (const collection of ['alerts', 'alerts_history', 'user_settings', 'users'])
      assert.ok(!(await scene.ask('viewer', `GET ${records(collection)}?perPage=500`)).text.includes(owner), collection)
    assert.ok(!(await scene.ask('viewer', 'GET /api/vedette/incidents/noisy')).text.includes(alert.id))
  })

  test(`${kind.name}: an acknowledgement by the person ends the owner's reminders and escalation, and none is stored after the end`, async () => {
    await using scene = await taggedSystem(kind)
    const { database, clock } = scene.hub.engine
    const load = (id: string) => database.kysely.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (const id of ['one', 'two', 'past']) {
      await writeIncident(scene, id, idOf('owner'))
      await writeNotice(scene, id, idOf('readonlyUser'), ['escalated-5', 'handed'])
      await writeNotice(scene, id, idOf('viewer'), ['escalated-9', 'new'])
    }
    assert.equal((await acknowledge(scene, 'readonlyUser', 'one', { note: 'on it' })).status, 204)
    assert.partialDeepStrictEqual(await load('one'), { remind: null, escalate: null, snoozed: null, note: 'on it' })
    assert.equal((await acknowledge(scene, 'readonlyUser', 'two', { snoozeMinutes: 60 })).status, 204)
    const { snoozed, remind } = await load('two')
    assert.ok(snoozed !== null && snoozed === remind && snoozed > clock.now())
    const waiting = await database.kysely.selectFrom('notices').select(['incident', 'state']).where('owner', '=', idOf('viewer')).execute()
    assert.deepEqual(waiting.map(({ incident, state }) => `${incident} ${state}`).toSorted(), ['one quiet', 'past new', 'two quiet'])
    await database.write(({ sql }) => sql.updateTable('incidents').set({ ended: clock.now() }).where('id', '=', 'past').execute())
    assert.equal((await acknowledge(scene, 'readonlyUser', 'past')).status, 409)
    assert.equal((await acknowledge(scene, 'readonlyUser', 'two', { snoozeMinutes: 1 })).status, 400)
    assert.deepEqual((await listed(scene, 'readonlyUser')).map(({ id }) => id).toSorted(), ['one', 'past', 'two'])
    const page = await scene.ask('readonlyUser', 'GET /api/vedette/incidents?state=over')
    assert.ok(page.text.includes('"past"') && !page.text.includes('"one"'))
    const { text } = await scene.ask('readonlyUser', 'GET /api/vedette/incidents?limit=1')
    const [first] = (JSON.parse(text) as { readonly items: readonly Item[] }).items // as the route declares
    const next = await scene.ask('readonlyUser', `GET /api/vedette/incidents?after=${String(first?.['id'])}`)
    assert.equal((JSON.parse(next.text) as { readonly items: readonly Item[] }).items.length, 2) // as the route declares
  })

  test(`${kind.name}: the access ends with the role, the account and the system, and a limited key has less`, async () => {
    await using scene = await taggedSystem(kind)
    const { store, database } = scene.hub.engine
    await writeIncident(scene, 'one', idOf('owner'))
    for (const [person, minutes] of [
      ['admin', 5],
      ['readonlyUser', 6],
      ['other', 7],
    ] as const)
      await writeNotice(scene, 'one', idOf(person), [`escalated-${minutes}`, 'handed'])
    await writeNotice(scene, 'one', 'nobody', ['escalated-8', 'handed'])
    const readers = async () => [...(await loadReaders(scene.hub.engine, 'one'))].toSorted()
    const ids = (...some: readonly Caller[]) => some.map(idOf).toSorted()
    assert.deepEqual(await readers(), ids('owner', 'admin', 'readonlyUser'))
    assert.equal((await acknowledge(scene, 'admin', 'one')).status, 204)

    const keys = apiKeys({ ...scene.hub.engine, log: silentLog })
    const account = (await store.load('users', idOf('admin'))) ?? assert.fail()
    const statusOf = async (scope: 'read' | 'write', tags?: readonly string[]) => {
      const { key } = await keys.create(account, { name: 'k', scope, expiresMs: undefined, ...(tags === undefined ? {} : { tags }) })
      return (await scene.send(`Bearer ${key}`, 'POST /api/vedette/incidents/one/acknowledge', {})).status
    }
    assert.deepEqual([await statusOf('read'), await statusOf('write'), await statusOf('write', ['other'])], [403, 204, 404])

    await database.write((unit) => store.update(unit, 'users', idOf('admin'), { role: 'user' }))
    assert.equal((await acknowledge(scene, 'admin', 'one')).status, 404)
    assert.deepEqual(await listed(scene, 'admin'), [])
    assert.deepEqual(await readers(), ids('owner', 'readonlyUser'))
    const { status } = await scene.ask('superuser', `DELETE /api/collections/users/records/${idOf('readonlyUser')}`)
    assert.equal(status, 204)
    assert.deepEqual(await readers(), ids('owner'))
    await database.write((unit) => store.update(unit, 'systems', SYSTEM, { users: [] }))
    assert.deepEqual(await readers(), [])
  })
}
