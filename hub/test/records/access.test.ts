import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections } from '../../src/records/collections/collections.ts'
import type { Collection } from '../../src/records/model/collection.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

const people = ['guest', 'rita', 'alice', 'super'] as const
type Person = (typeof people)[number]

type Row = { readonly [field: string]: unknown }
type Knows = (id: string, record: Row, person: Person) => boolean

const sharedWith = (id: string, system: unknown): boolean => {
  const users = dataset.collections['systems']?.find((one) => one.id === system)?.['users']
  return Array.isArray(users) && users.includes(id)
}
const own: Knows = (id, record) => record['user'] === id

/** Read access by collection. Collections that are not listed are readable for users with access to the system. */
const knows: Readonly<Record<string, Knows>> = {
  users: (id, record) => record['id'] === id,
  systems: (id, record) => sharedWith(id, record['id']),
  fingerprints: (id, record, person) => person !== 'rita' && sharedWith(id, record['system']),
  alerts: own,
  alerts_history: own,
  quiet_hours: own,
  user_settings: own,
  saved_views: (id, record) => record['user'] === id || record['shared'] === true,
  universal_tokens: () => false,
}

/** The records of the data set. Those of `_superusers` are the users that are admins. */
function recordsOf(collection: string): readonly (Row & { readonly id: string })[] {
  if (collection !== '_superusers') return dataset.collections[collection] ?? []
  return (dataset.collections['users'] ?? []).filter((one) => one['role'] === 'admin' && one['verified'] === true)
}

/** Whether a user may read a record, decided from the data without the hub's rules. */
function mayKnow(person: Person, collection: string, record: Row): boolean {
  if (person === 'super' || person === 'guest') return person === 'super'
  const id = dataset.aliases[person] ?? ''
  return knows[collection]?.(id, record, person) ?? sharedWith(id, record['system'])
}

/** Actions, besides listing, that a user with read access may perform. */
const granted: Readonly<Record<string, Partial<Record<'view' | 'update' | 'delete', readonly Person[]>>>> = {
  users: { view: ['rita', 'alice'] },
  systems: { view: ['rita', 'alice'], update: ['alice'], delete: ['alice'] },
  system_details: { view: ['rita', 'alice'] },
  smart_devices: { view: ['rita', 'alice'], delete: ['alice'] },
  fingerprints: { view: ['alice'], update: ['alice'], delete: ['alice'] },
  alerts: { update: ['rita', 'alice'], delete: ['rita', 'alice'] },
  alerts_history: { delete: ['rita', 'alice'] },
  quiet_hours: { view: ['rita', 'alice'], update: ['rita', 'alice'], delete: ['rita', 'alice'] },
  user_settings: { update: ['rita', 'alice'] },
  saved_views: { view: ['rita', 'alice'] },
}

const tables = collections.all.filter(({ storage }) => storage === 'table')

for (const kind of databases) {
  test(`${kind.name}: lists contain the records that the user may read, and no others`, async () => {
    await using hub = await recordedHub(kind)
    for (const collection of collections.all) {
      for (const person of people) {
        const { status, body } = await ask(hub, person, `GET /api/collections/${collection.name}/records?perPage=1000&fields=id`)
        if (status === 403) {
          assert.equal(collection.rules.list, null, `${person} ${collection.name}`)
          continue
        }
        const ids = ((body as { items?: readonly { id: string }[] }).items ?? []).map(({ id }) => id) // a page
        // A sign-in creates a record that its user may read.
        const traces = collection.name === '_authOrigins' ? await hub.engine.store.loadWhere(collection.name, {}) : []
        const own = traces.filter(({ recordRef }) => person === 'super' || recordRef === dataset.aliases[person])
        const known = recordsOf(collection.name)
          .filter((record) => mayKnow(person, collection.name, record))
          .concat(own)
          .map(({ id }) => id)
        assert.deepEqual(ids.filter((id) => !id.startsWith('boss')).toSorted(), known.toSorted(), `${person} lists ${collection.name}`)
      }
    }
  })

  for (const action of ['view', 'update', 'delete'] as const) {
    test(`${kind.name}: users cannot ${action} a record without access`, async () => {
      await using hub = await recordedHub(kind)
      for (const collection of tables) {
        for (const record of dataset.collections[collection.name] ?? []) {
          for (const person of people.filter((one) => action === 'view' || one !== 'super')) {
            await assertDecision(hub, { collection, action, person }, record)
          }
        }
      }
    })
  }

  test(`${kind.name}: a read-only user or a guest cannot create a system with any list of users`, async () => {
    await using hub = await recordedHub(kind)
    const system = { name: 'x', host: '127.0.0.1', port: '1' }
    for (const [person, id] of [
      ['rita', dataset.aliases['rita']],
      ['guest', dataset.aliases['alice']],
    ] as const) {
      for (const users of [[id], id, [], undefined]) {
        const { status } = await ask(hub, person, 'POST /api/collections/systems/records', {
          ...system,
          ...(users === undefined ? {} : { users }),
        })
        assert.equal(status, 400, `${person} ${JSON.stringify(users)}`)
      }
    }
  })

  test(`${kind.name}: only admins can change role, verified or email`, async () => {
    await using hub = await recordedHub(kind)
    const id = dataset.aliases['alice'] ?? ''
    for (const body of [{ role: 'admin' }, { verified: true }, { email: 'new@example.com' }, { tokenKey: 'x'.repeat(50) }]) {
      for (const person of ['guest', 'rita', 'alice'] as const) {
        assert.equal((await ask(hub, person, `PATCH /api/collections/users/records/${id}`, body)).status, 403)
        assert.equal(
          (
            await ask(hub, person, 'POST /api/collections/users/records', {
              ...body,
              password: 'longenough',
              passwordConfirm: 'longenough',
            })
          ).status,
          403,
        )
      }
    }
  })
}

type Decision = { readonly collection: Collection; readonly action: 'view' | 'update' | 'delete'; readonly person: Person }

async function assertDecision(hub: RecordedHub, { collection, action, person }: Decision, record: { readonly id: string }): Promise<void> {
  const path = `/api/collections/${collection.name}/records/${record.id}`
  const method = action === 'view' ? 'GET' : action === 'update' ? 'PATCH' : 'DELETE'
  const may =
    person === 'super' || (mayKnow(person, collection.name, record) && granted[collection.name]?.[action]?.includes(person) === true)
  // Allowed deletions are tested by the recorded calls; here they would remove records that later decisions need.
  if (action === 'delete' && may) return
  const { status } = await ask(hub, person, `${method} ${path}`, action === 'update' ? {} : undefined)
  const expected = may ? 200 : collection.rules[action] === null ? 403 : 404
  assert.equal(status, expected, `${person} ${method} ${path}`)
}

async function ask(hub: RecordedHub, as: Person, call: string, json?: object): Promise<{ status: number; body: unknown }> {
  const [method = '', path = ''] = call.split(' ')
  const body = json === undefined ? {} : { json: JSON.parse(JSON.stringify(json)) as Record<string, never> } // a plain object
  const response = await send(hub, { as, method, path, ...body, response: { status: 0 } }, newSaved())
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}
