import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_FIELDS } from '../../src/records/collections/system-fields.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const NOTES = '/api/collections/system_notes/records'
const FIELDS = '/api/collections/system_fields/records'

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

async function send(hub: RecordedHub, who: string, call: string, json?: object): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ')
  const headers = { authorization: who === 'guest' ? '' : await hub.tokenOf(who), 'content-type': 'application/json' }
  const response = await hub.app.request(path, { method, headers, ...(json !== undefined && { body: JSON.stringify(json) }) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const idOf = (who: string): string => dataset.aliases[who] ?? assert.fail(who)
const shared = (...people: readonly string[]): string =>
  dataset.collections['systems']?.find(({ users }) => people.every((one) => (users as readonly string[]).includes(idOf(one))))?.id ??
  assert.fail('no such system')

const itemsOf = ({ body }: Answer): readonly Readonly<Record<string, unknown>>[] => body['items'] as never

for (const kind of databases) {
  test(`${kind.name}: notes, links and values of a system`, async (t) => {
    await using hub = await recordedHub(kind)
    const system = shared('alice', 'rita')
    const notes = {
      system,
      notes: 'In the cellar\nkey at the desk',
      links: [{ name: 'Rack', url: 'https://example.com/rack' }],
      values: null,
    }

    await t.test('people with access read them; those who may change the system write them', async () => {
      for (const who of ['guest', 'rita', 'bob']) assert.equal((await send(hub, who, `POST ${NOTES}`, notes)).status, 400, `${who} creates`)
      const created = await send(hub, 'alice', `POST ${NOTES}`, notes)
      assert.equal(created.status, 200, JSON.stringify(created.body))
      assert.deepEqual([created.body['notes'], created.body['links']], [notes.notes, notes.links])
      const one = `${NOTES}/${String(created.body['id'])}`
      assert.equal((await send(hub, 'alice', `POST ${NOTES}`, notes)).status, 400, 'a second record of one system')
      for (const [who, status] of [
        ['guest', 404],
        ['bob', 404],
        ['rita', 200],
        ['super', 200],
      ] as const)
        assert.equal((await send(hub, who, `GET ${one}`)).status, status, `${who} reads`)
      for (const who of ['guest', 'rita', 'bob']) {
        assert.equal((await send(hub, who, `PATCH ${one}`, { notes: 'taken' })).status, 404, `${who} changes`)
        assert.equal((await send(hub, who, `DELETE ${one}`)).status, 404, `${who} deletes`)
      }
      const other = dataset.collections['systems']?.find(({ users }) => !(users as readonly string[]).includes(idOf('alice')))
      assert.equal(
        (await send(hub, 'alice', `PATCH ${one}`, { system: other?.id ?? assert.fail() })).status,
        400,
        'moved to a hidden system',
      )
      assert.equal((await send(hub, 'alice', `PATCH ${one}`, { links: [{ name: '', url: 'javascript:alert(1)' }] })).status, 400)
      assert.equal((await send(hub, 'alice', `PATCH ${one}`, { notes: 'x'.repeat(20_001) })).status, 400)
      assert.equal((await send(hub, 'alice', `GET ${one}`)).body['notes'], notes.notes)
    })

    await t.test('admins define fields, everybody reads them, and systems are filtered by their values', async () => {
      for (const who of ['guest', 'rita', 'alice'])
        assert.equal((await send(hub, who, `POST ${FIELDS}`, { name: 'Cost', kind: 'price' })).status, 403, `${who} defines a field`)
      const define = async (field: object): Promise<string> => {
        const { status, body } = await send(hub, 'super', `POST ${FIELDS}`, field)
        assert.equal(status, 200, JSON.stringify(body))
        return String(body['id'])
      }
      const cost = await define({ name: 'Cost', kind: 'price', unit: 'EUR' })
      const bought = await define({ name: 'Bought', kind: 'date' })
      assert.equal((await send(hub, 'super', `POST ${FIELDS}`, { name: 'COST', kind: 'text' })).status, 400, 'a taken name')
      assert.equal((await send(hub, 'super', `PATCH ${FIELDS}/${cost}`, { kind: 'text' })).status, 400, 'another kind')
      assert.equal((await send(hub, 'super', `PATCH ${FIELDS}/${cost}`, { unit: 'USD' })).status, 200)
      assert.deepEqual(
        [itemsOf(await send(hub, 'rita', `GET ${FIELDS}`)).length, itemsOf(await send(hub, 'guest', `GET ${FIELDS}`)).length],
        [2, 0],
      )

      const [known] = itemsOf(await send(hub, 'alice', `GET ${NOTES}`))
      const one = `${NOTES}/${String(known?.['id'])}`
      const bad = await send(hub, 'alice', `PATCH ${one}`, { values: { [cost]: 'much' } })
      assert.deepEqual([bad.status, Object.keys(bad.body['data'] as object)], [400, ['values']])
      assert.equal((await send(hub, 'alice', `PATCH ${one}`, { values: { [cost]: 0, [bought]: '2025-01-31' } })).status, 200)
      const found = async (filter: string, who = 'alice') =>
        itemsOf(await send(hub, who, `GET /api/collections/systems/records?filter=${encodeURIComponent(filter)}`)).map(({ id }) => id)
      assert.deepEqual(await found(`system_notes_via_system.values.${bought} < "2025-02-01" && system_notes_via_system.id != ""`), [system])
      assert.deepEqual(await found(`system_notes_via_system.values.${bought} > "2025-02-01"`), [])
      assert.deepEqual(await found('system_notes_via_system.notes ~ "cellar"'), [system])
      assert.deepEqual(await found('system_notes_via_system.notes ~ "cellar"', 'bob'), [])

      // A value outlives the definition of its field, and does not hinder the next change.
      assert.equal((await send(hub, 'super', `DELETE ${FIELDS}/${cost}`)).status, 204)
      assert.equal((await send(hub, 'alice', `PATCH ${one}`, { values: { [cost]: 0, [bought]: '2025-02-02' } })).status, 200)
      assert.equal((await send(hub, 'alice', `PATCH ${one}`, { values: { [cost]: 1 } })).status, 400)
    })

    await t.test('the number of fields has a limit, and a deleted system takes its notes along', async () => {
      const { store, database } = hub.engine
      await database.write(async (unit) => {
        const { length } = await store.loadWhere('system_fields', {}, unit)
        for (let index = length; index < MOST_FIELDS; index++)
          await store.insert(unit, 'system_fields', { name: `field ${index}`, kind: 'text' })
      })
      assert.equal((await send(hub, 'super', `POST ${FIELDS}`, { name: 'one more', kind: 'text' })).status, 400)
      assert.equal((await store.loadWhere('system_fields', {})).length, MOST_FIELDS)
      assert.equal((await send(hub, 'super', `DELETE /api/collections/systems/records/${system}`)).status, 204)
      assert.deepEqual(await store.loadWhere('system_notes', {}), [])
    })
  })
}
