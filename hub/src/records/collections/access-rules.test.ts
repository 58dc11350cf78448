import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relatedInMemory } from '../../../test/related-in-memory.ts'
import { judgementOf } from '../engine/access.ts'
import { isAdmin, type StoredRecord } from '../model/stored-record.ts'
import type { RuleName } from '../model/collection.ts'
import { collections } from './collections.ts'

/**
 * The system `shared` is shared with alice and rita, `private` with nobody. `tagged` has a trusted tag that vera may view and carl may
 * change; `claimed` has the same tag without a trusted source.
 */
const systems: readonly StoredRecord[] = [
  { id: 'shared', users: ['alice', 'rita'] },
  { id: 'private', users: [] },
  { id: 'tagged', users: [], tags: ['env=prod'], accessTags: ['env=prod'] },
  { id: 'claimed', users: [], tags: ['env=prod'], accessTags: [] },
]

const people: Readonly<Record<string, StoredRecord | undefined>> = {
  guest: undefined,
  alice: { id: 'alice', role: 'user', verified: true },
  rita: { id: 'rita', role: 'readonly', verified: true },
  bob: { id: 'bob', role: 'user', verified: true },
  vera: { id: 'vera', role: 'user', verified: true, viewTags: ['env=prod'], changeTags: [] },
  carl: { id: 'carl', role: 'user', verified: true, viewTags: ['env=prod', 'x'], changeTags: ['env=prod'] },
  unverified: { id: 'unverified', role: 'admin', verified: false },
  admin: { id: 'admin', role: 'admin', verified: true },
}

const actions = ['list', 'view', 'create', 'update', 'delete', 'stored'] as const satisfies readonly RuleName[]

const nobody: readonly string[] = []
const readers = ['alice', 'rita']
const writers = ['alice']
/** Everybody who is signed in, besides the admin. */
const members = ['alice', 'rita', 'bob', 'vera', 'carl', 'unverified']
const viewers = ['vera', 'carl']
const changers = ['carl']
const readOnly = { list: readers, view: nobody, create: nobody, update: nobody, delete: nobody, stored: everybody() }
const closed = { ...readOnly, list: nobody }

function everybody(): readonly string[] {
  return Object.keys(people).filter((name) => name !== 'admin')
}

const viewOf = (user: string, shared: boolean): StoredRecord => ({
  id: 'record',
  user,
  name: 'Down',
  shared,
  search: 'filter=status%3Adown',
})
const ofAlice = { id: 'record', user: 'alice', system: 'shared' }
const traceOfAlice = { id: 'record', recordRef: 'alice', collectionRef: '_pb_users_auth_' }
const ownTrace = { ...closed, list: writers, view: writers }

type Case = readonly [collection: string, record: StoredRecord, may: Readonly<Record<RuleName, readonly string[]>>]

/** The users that may perform an action on a record. Admins may perform every action. */
const cases: readonly Case[] = [
  ['users', { id: 'alice' }, { ...closed, list: writers, view: writers }],
  [
    'systems',
    { id: 'shared', users: ['alice', 'rita'] },
    { list: readers, view: readers, create: writers, update: writers, delete: writers, stored: everybody() },
  ],
  ['systems', { id: 'private', users: [] }, closed],
  [
    'systems',
    { id: 'tagged', users: [], accessTags: ['env=prod'] },
    { list: viewers, view: viewers, create: changers, update: changers, delete: changers, stored: everybody() },
  ],
  ['systems', { id: 'claimed', users: [], tags: ['env=prod'], accessTags: [] }, closed],
  ...['system_stats', 'container_stats', 'containers', 'systemd_services'].flatMap((name): readonly Case[] => [
    [name, { id: 'record', system: 'shared' }, readOnly],
    [name, { id: 'record', system: 'tagged' }, { ...closed, list: viewers }],
    [name, { id: 'record', system: 'private' }, closed],
    [name, { id: 'record', system: 'claimed' }, closed],
  ]),
  ['system_details', { id: 'shared', system: 'shared' }, { ...readOnly, view: readers }],
  ['smart_devices', { id: 'record', system: 'shared' }, { ...readOnly, view: readers, delete: writers }],
  [
    'fingerprints',
    { id: 'record', system: 'shared' },
    { list: writers, view: writers, create: writers, update: writers, delete: writers, stored: writers },
  ],
  [
    'fingerprints',
    { id: 'record', system: 'tagged' },
    { list: changers, view: changers, create: changers, update: changers, delete: changers, stored: changers },
  ],
  ['fingerprints', { id: 'record', system: 'private' }, { ...closed, stored: nobody }],
  ['alerts', ofAlice, { list: writers, view: nobody, create: writers, update: writers, delete: writers, stored: writers }],
  [
    'alerts',
    { ...ofAlice, system: 'private' },
    { list: writers, view: nobody, create: writers, update: writers, delete: writers, stored: nobody },
  ],
  ['alerts', { ...ofAlice, user: '' }, { ...closed, stored: nobody }],
  [
    'alert_policies',
    { ...ofAlice, system: '' },
    { list: writers, view: writers, create: writers, update: writers, delete: writers, stored: writers },
  ],
  ['alert_policies', ofAlice, { list: writers, view: writers, create: writers, update: writers, delete: writers, stored: writers }],
  [
    'alert_policies',
    { ...ofAlice, system: 'private' },
    { list: writers, view: writers, create: writers, update: writers, delete: writers, stored: nobody },
  ],
  ['alert_policies', { ...ofAlice, user: '', system: '' }, { ...closed, stored: nobody }],
  ['alerts_history', ofAlice, { ...closed, list: writers, delete: writers }],
  ['quiet_hours', ofAlice, { list: writers, view: writers, create: writers, update: writers, delete: writers, stored: writers }],
  ['quiet_hours', { ...ofAlice, user: '' }, { ...closed, stored: nobody }],
  ['user_settings', ofAlice, { list: writers, view: nobody, create: writers, update: writers, delete: nobody, stored: writers }],
  ['universal_tokens', ofAlice, closed],
  [
    'saved_views',
    viewOf('alice', false),
    { list: writers, view: writers, create: writers, update: writers, delete: writers, stored: writers },
  ],
  [
    'saved_views',
    viewOf('alice', true),
    { list: members, view: members, create: writers, update: writers, delete: writers, stored: writers },
  ],
  [
    'saved_views',
    viewOf('rita', false),
    { list: ['rita'], view: ['rita'], create: ['rita'], update: ['rita'], delete: ['rita'], stored: ['rita'] },
  ],
  // A read-only account cannot share a view, but can still change one that it shared before.
  [
    'saved_views',
    viewOf('rita', true),
    { list: members, view: members, create: nobody, update: ['rita'], delete: ['rita'], stored: nobody },
  ],
  ['saved_views', viewOf('', false), { ...closed, stored: nobody }],
  ['saved_views', viewOf('', true), { ...closed, list: members, view: members, stored: nobody }],
  ['groups', { id: 'record', members: ['alice'] }, { ...closed, stored: everybody() }],
  ['tag_access', { id: 'record', user: 'alice' }, { ...closed, stored: everybody() }],
  ['tag_rules', { id: 'record', tag: 'x' }, { ...closed, stored: everybody() }],
  ['system_fields', { id: 'record', name: 'x' }, { ...closed, list: members, view: members, stored: everybody() }],
  ...(
    [
      ['shared', readers, writers],
      ['tagged', viewers, changers],
      ['private', nobody, nobody],
      ['claimed', nobody, nobody],
    ] as const
  ).map(([system, list, write]): Case => [
    'system_notes',
    { id: 'record', system },
    { list, view: list, create: write, update: write, delete: write, stored: write },
  ]),
  ['_superusers', { id: 'alice' }, closed],
  ['_externalAuths', traceOfAlice, { ...ownTrace, delete: writers }],
  ['_mfas', traceOfAlice, ownTrace],
  ['_otps', traceOfAlice, ownTrace],
  ['_authOrigins', traceOfAlice, { ...ownTrace, delete: writers }],
  ['_authOrigins', { ...traceOfAlice, collectionRef: 'pbc_3142635823' }, closed],
  ['_authOrigins', { id: 'record', recordRef: '', collectionRef: '' }, closed],
]

const engine = { collections, clock: { now: () => Date.UTC(2026, 0, 10) } }
const related = relatedInMemory({ systems, users: Object.values(people).filter((one) => one !== undefined) })

async function allowedPeople(collection: string, rule: RuleName, record: StoredRecord): Promise<readonly string[]> {
  const found = collections.find(collection) ?? assert.fail(collection)
  const allowed: string[] = []
  for (const [name, actor] of Object.entries(people)) {
    const facts = { actor, context: 'default', method: 'GET', query: {}, headers: {} } as const
    const [may] = await judgementOf(engine, { collection: found, rule, facts })([record], related)
    if (may === true) allowed.push(name)
  }
  return allowed
}

for (const [collection, record, may] of cases) {
  test(`access: the users allowed to act on ${JSON.stringify(record)} of ${collection}`, async () => {
    for (const action of actions)
      assert.deepEqual(await allowedPeople(collection, action, record), [...may[action], 'admin'], `${collection} ${action}`)
  })
}

test('the table of access cases contains every collection', () => {
  assert.deepEqual(new Set(cases.map(([name]) => name)), new Set(collections.all.map(({ name }) => name)))
})

test('isAdmin is true only for a verified account with the role "admin"', () => {
  assert.deepEqual(
    Object.keys(people).filter((name) => isAdmin(people[name])),
    ['admin'],
  )
  assert.equal(isAdmin({ id: 'a', role: 'admin' }), false)
})
