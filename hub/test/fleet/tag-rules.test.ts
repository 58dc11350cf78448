import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { startTagRules } from '../../src/fleet/tags/tag-rules.ts'
import { parseSources, tagFields } from '../../src/records/model/tag.ts'
import { databases, silentLog } from '../databases.ts'
import { recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

const RULES = '/api/collections/tag_rules/records'
/** A system that is shared with alice. */
const SYSTEM = 'sys000000000005'

async function ask(hub: RecordedHub, as: string, call: string, json?: Json) {
  const [method = '', path = ''] = call.split(' ')
  const response = await send(hub, { as, method, path, ...(json === undefined ? {} : { json }), response: { status: 0 } }, newSaved())
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as { readonly [name: string]: Json } }
}

/** Resolves when the tags of the system, each with its sources, are these. */
async function untilTagged(hub: RecordedHub, expected: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    const record = (await hub.engine.store.load('systems', SYSTEM)) ?? assert.fail()
    const found = parseSources(record['tagSources']).map(({ tag, sources }) => `${tag}:${sources.join('+')}`)
    if (found.join(' ') === expected) resolve()
  }
  const end = hub.test.bus.subscribe(['systems'], () => void look())
  await look()
  await promise
  end()
}

const rulesOn = (hub: RecordedHub, owns: (system: string) => boolean = () => true) =>
  startTagRules({ engine: hub.engine, bus: hub.test.bus, log: silentLog, owns })

for (const kind of databases) {
  test(`${kind.name}: tag rules tag the systems that they match, follow changes and give no access`, async () => {
    await using hub = await recordedHub(kind)
    const { name } = (await hub.engine.store.load('systems', SYSTEM)) ?? assert.fail()
    await using _rules = rulesOn(hub)
    const { body: rule } = await ask(hub, 'super', `POST ${RULES}`, { tag: 'named', filter: `name = ${JSON.stringify(name)}` })
    await untilTagged(hub, 'named:rule')
    assert.deepEqual((await hub.engine.store.load('systems', SYSTEM))?.['accessTags'], [])
    await ask(hub, 'super', `PATCH /api/collections/systems/records/${SYSTEM}`, { 'tags+': ['named'], name: 'another name' })
    await untilTagged(hub, 'named:admin')
    await ask(hub, 'super', `PATCH ${RULES}/${String(rule['id'])}`, { filter: 'name ~ "another"' })
    await untilTagged(hub, 'named:admin+rule')
    await ask(hub, 'super', `POST ${RULES}`, { tag: 'os=debian', filter: 'system_details_via_system.os_name ~ "debian"' })
    const details = { id: SYSTEM, system: SYSTEM, os_name: 'Debian GNU/Linux 13', hostname: 'one' }
    await hub.engine.database.write(async (unit) => {
      await hub.engine.store.remove(unit, 'system_details', SYSTEM)
      await hub.engine.store.insert(unit, 'system_details', details)
    })
    await untilTagged(hub, 'named:admin+rule os=debian:rule')
    await ask(hub, 'super', `DELETE ${RULES}/${String(rule['id'])}`)
    await untilTagged(hub, 'named:admin os=debian:rule')
  })

  test(`${kind.name}: tag rules remove at the start what a deleted rule left, and leave systems of other hubs`, async () => {
    await using hub = await recordedHub(kind)
    const { store, database } = hub.engine
    const others = (await store.loadWhere('systems', {})).filter(({ id }) => id !== SYSTEM)
    const left = tagFields([{ tag: 'left', sources: ['rule'] }])
    await database.write(async (unit) => {
      for (const { id } of [{ id: SYSTEM }, ...others]) await store.update(unit, 'systems', id, left)
    })
    await using _rules = rulesOn(hub, (system) => system === SYSTEM)
    await untilTagged(hub, '')
    for (const { tags } of (await store.loadWhere('systems', {})).filter(({ id }) => id !== SYSTEM)) assert.deepEqual(tags, ['left'])
  })

  test(`${kind.name}: only admins see and change tag rules, and a rule that cannot work is refused`, async () => {
    await using hub = await recordedHub(kind)
    const rule = { tag: 'x', filter: 'name = "x"' }
    for (const [as, listed, created] of [
      ['guest', 403, 403],
      ['alice', 403, 403],
      ['super', 200, 200],
    ] as const) {
      assert.equal((await ask(hub, as, `GET ${RULES}`)).status, listed, as)
      assert.equal((await ask(hub, as, `POST ${RULES}`, rule)).status, created, as)
    }
    for (const [wrong, field] of [
      [{ tag: '', filter: 'name = "x"' }, 'tag'],
      [{ tag: 'a,b', filter: 'name = "x"' }, 'tag'],
      [{ tag: 'x', filter: '' }, 'filter'],
      [{ tag: 'x', filter: 'name =' }, 'filter'],
      [{ tag: 'x', filter: 'nothing = 1' }, 'filter'],
      [{ tag: 'x', filter: 'tags = "y"' }, 'filter'],
      [{ tag: 'x', filter: 'system_details_via_system.system.accessTags != "y"' }, 'filter'],
      [{ tag: 'x', filter: `name = "${'x'.repeat(2000)}"` }, 'filter'],
    ] as const) {
      const { status, body } = await ask(hub, 'super', `POST ${RULES}`, wrong)
      assert.deepEqual([status, Object.keys(body['data'] as object)], [400, [field]], JSON.stringify(wrong).slice(0, 100)) // errors by field
    }
  })
}
