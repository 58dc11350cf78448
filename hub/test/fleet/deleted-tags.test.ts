import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNDO_MS } from '../../src/fleet/tags/deleted-tags.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

async function send(hub: RecordedHub, who: string, call: string, json?: object): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ')
  const headers = { authorization: await hub.tokenOf(who), 'content-type': 'application/json' }
  const response = await hub.app.request(path, { method, headers, ...(json !== undefined && { body: JSON.stringify(json) }) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const idOf = (who: string): string => dataset.aliases[who] ?? assert.fail(who)

/** Hub on which `env=prod` has every kind of source, a grant to bob and one to a group of rita, and a tag rule. */
async function taggedHub(kind: (typeof databases)[number]) {
  const hub = await recordedHub(kind)
  const { store, database } = hub.engine
  const systems = await store.loadWhere('systems', {})
  const sources = [['admin'], ['token', 'agent'], ['person'], ['agent']]
  await database.write(async (unit) => {
    for (const [at, its] of sources.entries()) {
      const tagSources = [
        { tag: 'env=prod', sources: its },
        { tag: 'other', sources: ['admin'] },
      ]
      const isTrusted = its.includes('admin') || its.includes('token')
      const values = { tags: ['env=prod', 'other'], tagSources, accessTags: isTrusted ? ['env=prod', 'other'] : ['other'], users: [] }
      await store.update(unit, 'systems', systems[at]?.id ?? assert.fail('too few systems'), values)
    }
  })
  const ok = async (call: string, json: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, body } = await send(hub, 'super', call, json)
    assert.equal(status, 200, `${call} ${JSON.stringify(body)}`)
    return body
  }
  const group = await ok('POST /api/collections/groups/records', { name: 'Readers', members: [idOf('rita')] })
  await ok('POST /api/collections/tag_access/records', { tag: 'env=prod', user: idOf('bob'), may: 'view' })
  await ok('POST /api/collections/tag_access/records', { tag: 'env=prod', group: group['id'], may: 'view' })
  await ok('POST /api/collections/tag_rules/records', { tag: 'env=prod', filter: 'name ~ "x"' })
  return { hub, group: String(group['id']), ids: systems.slice(0, sources.length).map(({ id }) => id) }
}

const sourcesOf = async ({ engine: { store } }: RecordedHub, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => JSON.stringify((await store.load('systems', id))?.['tagSources'] ?? null)))

const accessOf = async ({ engine: { store } }: RecordedHub) =>
  Promise.all(['bob', 'rita'].map(async (who) => (await store.load('users', idOf(who)))?.['viewTags']))

for (const kind of databases) {
  test(`${kind.name}: a deleted tag ends its access at once, and the undo restores systems, grants and rules`, async () => {
    const { hub, ids } = await taggedHub(kind)
    await using _ = hub
    const before = await sourcesOf(hub, ids)
    const list = async () => (await send(hub, 'super', 'GET /api/vedette/deleted-tags')).body['items'] as readonly object[] // the documented response
    assert.deepEqual(await accessOf(hub), [['env=prod'], ['env=prod']])
    for (const who of ['alice', 'rita'])
      assert.equal((await send(hub, who, 'POST /api/vedette/deleted-tags', { tag: 'env=prod' })).status, 403, who)

    const deletion = await send(hub, 'super', 'POST /api/vedette/deleted-tags', { tag: 'env=prod' })
    const { id, tag, systems, grants, rules, kept } = deletion.body
    assert.deepEqual([deletion.status, tag, systems, grants, rules, kept], [200, 'env=prod', 4, 2, 1, 2])
    assert.deepEqual(await accessOf(hub), [[], []])
    const left = ['[{"tag":"other","sources":["admin"]}]', '[{"tag":"env=prod","sources":["agent"]},{"tag":"other","sources":["admin"]}]']
    assert.deepEqual(await sourcesOf(hub, ids), [left[0], left[1], left[0], left[1]])
    assert.deepEqual((await hub.engine.store.load('systems', ids[1] ?? ''))?.['accessTags'], ['other'])
    // Agents report `env=prod` still.
    for (const none of ['no such tag', 'env=prod'])
      assert.equal((await send(hub, 'super', 'POST /api/vedette/deleted-tags', { tag: none })).status, 404)
    assert.deepEqual(await list(), [{ id, tag, systems, grants, rules, by: dataset.superuser.email, deleted: deletion.body['deleted'] }])

    // One system was deleted meanwhile, another is full of tags.
    await send(hub, 'super', `DELETE /api/collections/systems/records/${ids[0] ?? ''}`)
    const many = Array.from({ length: 50 }, (_unused, at) => ({ tag: `t${String(at).padStart(2, '0')}`, sources: ['admin'] }))
    await hub.engine.database.write(async (unit) => {
      const tags = many.map((one) => one.tag)
      await hub.engine.store.update(unit, 'systems', ids[2] ?? '', { tags, tagSources: many, accessTags: tags })
    })
    assert.equal((await send(hub, 'alice', `POST /api/vedette/deleted-tags/${String(id)}/restore`)).status, 403)
    const undone = await send(hub, 'super', `POST /api/vedette/deleted-tags/${String(id)}/restore`)
    assert.deepEqual([undone.status, undone.body], [200, { systems: 2, grants: 2, rules: 1 }])
    assert.deepEqual(await accessOf(hub), [['env=prod'], ['env=prod']])
    assert.deepEqual([(await sourcesOf(hub, ids))[1], (await sourcesOf(hub, ids))[3]], [before[1], before[3]])
    assert.equal((await send(hub, 'super', `POST /api/vedette/deleted-tags/${String(id)}/restore`)).status, 404, 'undone twice')
    const audit = await hub.engine.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'targetName'])
      .where('target', '=', 'tags')
      .execute()
    assert.deepEqual(
      audit.map(({ action, targetName }) => `${action} ${targetName}`),
      ['delete env=prod', 'restore env=prod'],
    )
  })

  test(`${kind.name}: an undo skips people without an account, and is refused after a day`, async () => {
    const { hub, group } = await taggedHub(kind)
    await using _ = hub
    const remove = async () => String((await send(hub, 'super', 'POST /api/vedette/deleted-tags', { tag: 'env=prod' })).body['id'])
    const first = await remove()
    await send(hub, 'super', `DELETE /api/collections/groups/records/${group}`)
    assert.deepEqual((await send(hub, 'super', `POST /api/vedette/deleted-tags/${first}/restore`)).body['grants'], 1)
    assert.deepEqual(await accessOf(hub), [['env=prod'], []])
    const second = await remove()
    const atMs = hub.engine.clock.now() - UNDO_MS
    await hub.engine.database.write((unit) => unit.sql.updateTable('deleted_tags').set({ at: atMs }).execute())
    assert.equal((await send(hub, 'super', `POST /api/vedette/deleted-tags/${second}/restore`)).status, 404)
    assert.deepEqual((await send(hub, 'super', 'GET /api/vedette/deleted-tags')).body['items'], [])
    assert.deepEqual(await accessOf(hub), [[], []])
  })
}
