import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { createRecord, deleteRecord, updateRecord } from '../../src/records/writing/write.ts'
import { isAdmin, type StoredRecord } from '../../src/records/model/stored-record.ts'
import type { RecordValues } from '../../src/records/model/record-store.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'
import { recordedHub } from '../recorded-hub.ts'
import { engineOn } from '../test-engine.ts'

/** Writes of an admin through the records API, on an empty database with some users. */
async function scene(kind: TestDatabaseKind, users: readonly string[]) {
  const opened = await kind.open()
  let nowMs = Date.UTC(2026, 0, 1)
  const engine = engineOn(opened.database, { now: () => (nowMs += 1) })
  const admin = { id: 'theadmin0000000', role: 'admin', verified: true, email: 'a@example.com' }
  assert.ok(isAdmin(admin))
  const facts = { actor: admin, context: 'default', method: 'POST', query: {}, headers: {} } as const
  const collectionOf = (name: string) => engine.collections.find(name) ?? assert.fail(name)
  const create = (name: string, body: RecordValues) => createRecord(engine, collectionOf(name), { ...facts, body })
  const update = (name: string, id: string, body: RecordValues) => updateRecord(engine, collectionOf(name), { ...facts, body }, id)
  const remove = (name: string, id: string) => deleteRecord(engine, collectionOf(name), facts, id)
  const addUser = (id: string) =>
    opened.database.write((unit) =>
      engine.store.insert(unit, 'users', { id, email: `${id}@x.y`, username: id, role: 'user', verified: true }),
    )
  for (const id of users) await addUser(id)
  return { ...opened, engine, create, update, remove, addUser, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

const codesOf = (error: unknown) =>
  Object.fromEntries(
    Object.entries((error as { data: Readonly<Record<string, { code: string }>> }).data).map(([name, { code }]) => [name, code]),
  )

for (const kind of databases) {
  test(`${kind.name}: grants are for one user or one group, and for a tag`, async () => {
    await using hub = await scene(kind, ['user00000000001'])
    const group = await hub.create('groups', { name: 'ops', members: ['user00000000001'] })
    const [user, tag] = ['user00000000001', 'env=prod']
    for (const [body, codes] of [
      [
        { tag, may: 'view' },
        { user: 'validation_required', group: 'validation_required' },
      ],
      [{ tag, user, group: group.id, may: 'view' }, { group: 'validation_one_holder' }],
      [{ tag, user, may: 'own' }, { may: 'validation_invalid_value' }],
      [{ tag, user }, { may: 'validation_required' }],
      [{ tag: '  ', user, may: 'view' }, { tag: 'validation_required' }],
      [{ tag: 'a,b', user, may: 'view' }, { tag: 'validation_invalid_tag' }],
      [{ tag: 'x'.repeat(65), user, may: 'view' }, { tag: 'validation_max_text_constraint' }],
      [{ tag, user: 'nobody', may: 'view' }, { user: 'validation_missing_rel_records' }],
    ] as const)
      await assert.rejects(hub.create('tag_access', body), (error) => assert.deepEqual(codesOf(error), codes) === undefined)
    const grant = await hub.create('tag_access', { tag: ` ${tag} `, user, may: 'view' })
    assert.equal(grant['tag'], tag)
    await assert.rejects(hub.create('tag_access', { tag, user, may: 'change' }), (error) => 'tag' in codesOf(error))
    await assert.rejects(hub.create('groups', { name: 'ops' }), (error) => codesOf(error)['name'] === 'validation_not_unique')
    await hub.create('groups', { name: '__proto__' })
  })

  test(`${kind.name}: the tags of 5,000 members of a group follow its grants`, async () => {
    await using hub = await scene(kind, [])
    const ids = Array.from({ length: 5_000 }, (_, at) => `member${String(at).padStart(9, '0')}`)
    const { store, collections } = hub.engine
    await hub.database.write((unit) =>
      store.insertMany(
        unit,
        collections.find('users') ?? assert.fail(),
        ids.map((id) => ({ id, email: `${id}@x.y`, username: id, role: 'user', verified: true })),
      ),
    )
    const { id } = await hub.create('groups', { name: 'all', members: ids })
    await hub.create('tag_access', { tag: 'env=prod', group: id, may: 'change' })
    const withTag = async () =>
      (await store.loadWhere('users', {})).filter(({ changeTags }) => JSON.stringify(changeTags) === '["env=prod"]').length
    assert.equal(await withTag(), 5_000)
    await hub.remove('groups', id)
    assert.equal(await withTag(), 0)
  })

  test(`${kind.name}: after random changes of users, groups and grants, all derived tags equal those computed anew`, async () => {
    const userIds = ['user00000000001', 'user00000000002', 'user00000000003']
    const groupIds = ['group0000000001', 'group0000000002']
    const step = fc.record({
      kind: fc.constantFrom('members', 'members', 'members', 'grant', 'grant', 'regrant', 'revoke', 'user', 'group', 'forge'),
      user: fc.constantFrom(...userIds),
      group: fc.constantFrom(...groupIds),
      tag: fc.constantFrom('env=prod', 'env=dev', '__proto__'),
      may: fc.constantFrom('view', 'change'),
      isOfGroup: fc.boolean(),
      members: fc.subarray(userIds),
      key: fc.constantFrom('members', 'members+', 'members-'),
      at: fc.nat(),
    })
    await using hub = await scene(kind, [])
    const { store } = hub.engine
    const all = (name: string) => store.loadWhere(name, {})

    type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
    const anyGrant = async ({ at }: Step): Promise<string> => {
      const grants = await all('tag_access')
      return grants[at % grants.length]?.id ?? ''
    }
    const take: Readonly<Record<Step['kind'], (one: Step) => Promise<unknown>>> = {
      async members({ group, members: some, key }) {
        const members = some.filter((id) => users.has(id))
        const isNew = (await store.load('groups', group)) === undefined
        return isNew ? hub.create('groups', { id: group, name: group, members }) : hub.update('groups', group, { [key]: members })
      },
      grant: ({ tag, may, isOfGroup, user, group }) => hub.create('tag_access', { tag, may, ...(isOfGroup ? { group } : { user }) }),
      regrant: async (one) => hub.update('tag_access', await anyGrant(one), { tag: one.tag, may: one.may }),
      revoke: async (one) => hub.remove('tag_access', await anyGrant(one)),
      async user({ user }) {
        if (users.delete(user)) return hub.remove('users', user)
        users.add(user)
        return hub.addUser(user)
      },
      group: ({ group }) => hub.remove('groups', group),
      forge: ({ user, tag }) => hub.update('users', user, { viewTags: [tag], 'changeTags+': tag, name: 'x' }),
    }
    const users = new Set<string>()

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        for (const one of steps) await take[one.kind](one).catch(expectedRefusal)
        const [groups, grants] = [await all('groups'), await all('tag_access')]
        for (const account of await all('users')) {
          const own = grants.filter(
            (grant) => grant['user'] === account.id || groups.some((one) => one.id === grant['group'] && isMember(one, account)),
          )
          const tags = (some: readonly StoredRecord[]) => [...new Set(some.map((grant) => String(grant['tag'])))].toSorted()
          assert.deepEqual(account['viewTags'], tags(own), account.id)
          assert.deepEqual(account['changeTags'], tags(own.filter((grant) => grant['may'] === 'change')), account.id)
        }
        // A grant never outlives its holder.
        for (const grant of grants) assert.ok(users.has(String(grant['user'])) || groups.some(({ id }) => id === grant['group']))
      }),
      { numRuns: roundsOf({ short: 15, long: 200, soak: 2_000 }) },
    )
  })

  test(`${kind.name}: only admins see and change groups and grants`, async () => {
    await using hub = await recordedHub(kind)
    for (const as of ['guest', 'rita', 'alice'])
      for (const name of ['groups', 'tag_access'])
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
          const path = `/api/collections/${name}/records${method === 'GET' || method === 'POST' ? '' : '/any000000000000'}`
          const headers = { 'content-type': 'application/json', ...(as === 'guest' ? {} : { authorization: await hub.tokenOf(as) }) }
          const body = method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify({ name: 'x', tag: 'x' }) }
          const response = await hub.app.fetch(new Request(`http://hub${path}`, { method, headers, ...body }))
          assert.equal(response.status, 403, `${as} ${method} ${name}`)
        }
  })
}

const isMember = (group: StoredRecord, account: StoredRecord): boolean => (group['members'] as readonly Json[]).includes(account.id)

/** Steps may name records that do not exist, or a grant that exists. */
function expectedRefusal(error: unknown): void {
  const { status } = error as { readonly status?: number }
  if (status !== 400 && status !== 404) throw error
}
