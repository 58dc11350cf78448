import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { collectionModel } from '../../src/records/engine/collection-model.ts'
import { recordSchema, writtenSchema } from '../../src/http/description/record-schemas.ts'
import { collections } from '../../src/records/collections/collections.ts'
import { parseSources, tagFields, type SourcedTag } from '../../src/records/model/tag.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

/** A system that is shared with alice. */
const SYSTEM = 'sys000000000005'
const RECORD = `/api/collections/systems/records/${SYSTEM}`

async function ask(hub: RecordedHub, as: string, call: string, json?: Json) {
  const [method = '', path = ''] = call.split(' ')
  const response = await send(hub, { as, method, path, ...(json === undefined ? {} : { json }), response: { status: 0 } }, newSaved())
  const body = (await response.json()) as { readonly [name: string]: Json }
  return { status: response.status, body }
}

const change = (hub: RecordedHub, as: string, json: Json) => ask(hub, as, `PATCH ${RECORD}`, json)

/** The tags of the system, each with its sources, and the tags that give access. */
async function stored(hub: RecordedHub): Promise<{ readonly tags: string; readonly access: string }> {
  const record = (await hub.engine.store.load('systems', SYSTEM)) ?? assert.fail()
  const sourced = parseSources(record['tagSources'])
  assert.deepEqual({ ...record, ...tagFields(sourced) }, record)
  const { accessTags } = tagFields(sourced)
  return { tags: sourced.map(({ tag, sources }) => `${tag}:${sources.join('+')}`).join(' '), access: accessTags.join(' ') }
}

/** Stores tags as the hub does for agents and enrolment tokens. */
const give = (hub: RecordedHub, tags: readonly SourcedTag[]) =>
  hub.engine.database.write((unit) => hub.engine.store.update(unit, 'systems', SYSTEM, tagFields(tags)))

for (const kind of databases) {
  test(`${kind.name}: tags of a system are sorted, normal and have the source of their author`, async () => {
    await using hub = await recordedHub(kind)
    assert.equal('tags' in (await ask(hub, 'alice', `GET ${RECORD}`)).body, false)
    const { body } = await change(hub, 'super', { tags: [' env=prod ', 'cafe\u0301', 'env=prod', 'Env=prod', ''] })
    assert.deepEqual(body['tags'], ['Env=prod', 'caf\u00E9', 'env=prod'])
    assert.deepEqual((body['tagSources'] as readonly Json[])[2], { tag: 'env=prod', sources: ['admin'] })
    assert.equal('accessTags' in body, false)
    await change(hub, 'alice', { 'tags+': ['rack=7'] })
    assert.deepEqual(await stored(hub), {
      tags: 'Env=prod:admin caf\u00E9:admin env=prod:admin rack=7:person',
      access: 'Env=prod caf\u00E9 env=prod',
    })
    const listed = await ask(hub, 'alice', 'GET /api/collections/systems/records?fields=id,tags&filter=tags="rack=7"')
    assert.deepEqual(listed.body['items'], [{ id: SYSTEM, tags: ['Env=prod', 'caf\u00E9', 'env=prod', 'rack=7'] }])
  })

  test(`${kind.name}: a new system has the tags of its author`, async () => {
    await using hub = await recordedHub(kind)
    const users = [dataset.aliases['alice'] ?? '']
    const record = { name: 'new', host: 'h', port: '1', users, accessTags: ['x'], tagSources: [{ tag: 'x', sources: ['admin'] }] }
    for (const [as, source] of [
      ['alice', 'person'],
      ['boss', 'admin'],
    ] as const) {
      const { body } = await ask(hub, as, 'POST /api/collections/systems/records', { ...record, tags: ['env=prod'] })
      assert.deepEqual(body['tagSources'], [{ tag: 'env=prod', sources: [source] }])
      const loaded = await hub.engine.store.load('systems', String(body['id']))
      assert.deepEqual(loaded?.['accessTags'], source === 'admin' ? ['env=prod'] : [])
    }
  })

  test(`${kind.name}: no client can write the sources of tags or the tags that give access`, async () => {
    await using hub = await recordedHub(kind)
    await give(hub, [{ tag: 'said', sources: ['agent'] }])
    for (const as of ['alice', 'boss', 'super'])
      for (const sent of [
        { accessTags: ['said'] },
        { 'accessTags+': ['said'] },
        { tagSources: [{ tag: 'said', sources: ['admin'] }] },
        { tags: ['said'], accessTags: ['said'], tagSources: '[{"tag":"said","sources":["token"]}]' },
      ]) {
        assert.equal((await change(hub, as, sent)).status, 200, `${as} ${JSON.stringify(sent)}`)
        assert.deepEqual(await stored(hub), { tags: 'said:agent', access: '' }, `${as} ${JSON.stringify(sent)}`)
      }
  })

  test(`${kind.name}: an admin accepts a tag with "tags+", takes it back with "tags-", and keeps it by sending the list`, async () => {
    await using hub = await recordedHub(kind)
    await give(hub, [{ tag: 'said', sources: ['agent'] }])
    await change(hub, 'boss', { tags: ['said', 'other'] })
    assert.deepEqual(await stored(hub), { tags: 'other:admin said:agent', access: 'other' })
    await change(hub, 'boss', { 'tags+': 'said' })
    assert.deepEqual(await stored(hub), { tags: 'other:admin said:admin+agent', access: 'other said' })
    await change(hub, 'boss', { 'tags-': ['said', 'other'] })
    assert.deepEqual(await stored(hub), { tags: 'said:agent', access: '' })
  })

  test(`${kind.name}: a tag that another source keeps refuses the whole change`, async () => {
    await using hub = await recordedHub(kind)
    const tags = [
      { tag: 'mine', sources: ['person'] },
      { tag: 'said', sources: ['agent', 'rule'] },
      { tag: 'set', sources: ['admin'] },
    ] as const
    await give(hub, tags)
    const before = await stored(hub)
    for (const [as, sent, sources] of [
      ['boss', { tags: ['mine', 'set'] }, ['agent', 'rule']],
      ['boss', { 'tags-': ['mine', 'said'] }, ['agent', 'rule']],
      ['alice', { tags: [], name: 'renamed' }, ['agent', 'rule']],
      ['alice', { 'tags-': 'set' }, ['admin']],
    ] as const) {
      const { status, body } = await change(hub, as, sent)
      assert.equal(status, 400)
      const { tags: error } = body['data'] as { readonly tags: { readonly code: string; readonly params: Json } }
      assert.deepEqual([error.code, (error.params as { sources: Json }).sources], ['validation_tag_kept', sources])
      assert.deepEqual(await stored(hub), before)
    }
  })

  test(`${kind.name}: bad tags are refused with a field error and change nothing`, async () => {
    await using hub = await recordedHub(kind)
    const some = (length: number) => Array.from({ length }, (_, at) => `tag ${at}`)
    await change(hub, 'alice', { tags: some(50) })
    const before = await stored(hub)
    for (const [sent, code] of [
      [{ 'tags+': ['one more'] }, 'validation_length_too_long'],
      [{ tags: some(51) }, 'validation_length_too_long'],
      [{ tags: some(10_000) }, 'validation_length_too_long'],
      [{ tags: ['x'.repeat(65)] }, 'validation_max_text_constraint'],
      [{ tags: ['a,b'] }, 'validation_invalid_tag'],
      [{ tags: ['a"b'] }, 'validation_invalid_tag'],
      [{ tags: ['a\nb'] }, 'validation_invalid_tag'],
      [{ tags: ['\u200E'] }, 'validation_invalid_tag'],
    ] as const) {
      const { status, body } = await change(hub, 'alice', sent)
      assert.deepEqual(
        [status, (body['data'] as { tags?: { code: string } } | undefined)?.tags?.code],
        [400, code],
        JSON.stringify(sent).slice(0, 60),
      )
      assert.deepEqual(await stored(hub), before)
    }
    for (const odd of [{}, null, [], [{}], [null], [[]], '', '[]']) assert.equal((await change(hub, 'alice', { tags: odd })).status, 200)
    assert.deepEqual(await stored(hub), { tags: '', access: '' })
    await change(hub, 'alice', { tags: ['__proto__', 'constructor', 7, true], __proto__: ['x'] })
    assert.equal((await stored(hub)).tags, '7:person __proto__:person constructor:person true:person')
  })

  test(`${kind.name}: a filter of tags finds systems that carry them, and shows nothing about hidden tags`, async () => {
    await using hub = await recordedHub(kind)
    await change(hub, 'boss', { tags: ['env=prod', 'role=db'] })
    const found = async (filter: string, as = 'super') => {
      const query = new URLSearchParams({ filter, fields: 'id', perPage: '500' })
      const { status, body } = await ask(hub, as, `GET /api/collections/systems/records?${query.toString()}`)
      return status === 200 ? (body['items'] as readonly { readonly id: string }[]).some(({ id }) => id === SYSTEM) : status
    }
    for (const [filter, expected] of [
      ['tags = "env=prod"', true],
      ['tags ?= "env=prod"', true],
      ['tags = "ENV=prod"', false],
      ['tags = "env=pro"', false],
      ['tags = "env=prod\\",\\"role=db"', false],
      ['tags = ","', false],
      ['tags != "env=prod"', false],
      ['tags != "x"', true],
      ['tags ~ "ENV"', true],
      ['tags ~ "env=%"', true],
      ['tags !~ "role"', false],
      ['tags:length = 2', true],
      ['tags = "env=prod" && tags = "role=db"', true],
      ['tags = ""', false],
      ['tags > "a"', 400],
      ['tags = name', 400],
      ['tags = tags', 400],
      ['"env=prod" ~ tags', 400],
      ['strftime("%Y", tags) = "2026"', 400],
    ] as const)
      assert.equal(await found(filter), expected, filter)
    assert.equal(await found('accessTags = "env=prod"', 'alice'), 400)
    assert.equal(await found('tagSources ~ "admin"', 'alice'), true)
    for (const sort of ['tags', '-tags'])
      assert.equal((await ask(hub, 'alice', `GET /api/collections/systems/records?sort=${sort}`)).status, 200)
  })

  test(`${kind.name}: an event of a system has its tags`, async () => {
    await using hub = await recordedHub(kind)
    const seen: Json[] = []
    hub.test.bus.subscribe(['systems'], ({ record, previous }) => seen.push(record['tags'] ?? null, previous?.['accessTags'] ?? null))
    await change(hub, 'boss', { tags: ['env=prod'] })
    assert.deepEqual(seen, [['env=prod'], []])
  })
}

test('the descriptions of systems have the tags, and no derived field in writes', () => {
  const systems = collections.find('systems') ?? assert.fail()
  const properties = (schema: object) => Object.keys((schema as { properties: object }).properties)
  assert.deepEqual(properties(recordSchema(systems)).slice(-4), ['tags', 'tagSources', 'created', 'updated'])
  assert.ok(properties(writtenSchema(systems)).includes('tags'))
  assert.ok(properties(writtenSchema(systems)).every((name) => name !== 'tagSources' && name !== 'accessTags'))
  const { fields } = collectionModel(systems, collections)
  const described = new Map(fields.map(({ name, type, hidden, labels, derived }) => [name, { type, hidden, labels, derived }]))
  assert.deepEqual(described.get('tags'), { type: 'json', hidden: false, labels: true, derived: undefined })
  assert.deepEqual(described.get('tagSources'), { type: 'json', hidden: false, labels: undefined, derived: true })
  assert.deepEqual(described.get('accessTags'), { type: 'json', hidden: true, labels: true, derived: true })
})
