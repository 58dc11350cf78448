import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import fc from 'fast-check'
import { minuteOfDay } from '../../src/alerts/judging/zone-clock.ts'
import { mergedSettings } from '../../src/alerts/notifications/person-settings.ts'
import { anyJson, inheritedName } from '../../../protocol/test/hostile-names.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

type Body = { readonly [field: string]: Json }
type Window = { readonly id: string; readonly type: string; readonly start: string; readonly end: string }
type QuietHours = { readonly zone: string; readonly items: readonly Window[] }

/** A hub with the recorded data set, and a user without settings and quiet hours. */
async function personsHub(kind: TestDatabaseKind) {
  const hub = await recordedHub(kind)
  const user = dataset.aliases['rita'] ?? ''
  const token = await hub.tokenOf('rita')
  await hub.engine.database.write(async (unit) => {
    for (const collection of ['quiet_hours', 'user_settings'])
      for (const { id } of await hub.engine.store.loadWhere(collection, { user }, unit)) await hub.engine.store.remove(unit, collection, id)
  })
  const call = async (request: string, body?: Body, as = token): Promise<{ status: number; body: Body }> => {
    const [method = '', path = ''] = request.split(' ')
    const response = await hub.app.request(path, {
      method,
      headers: { authorization: as, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Body) } // the response is an object here
  }
  const settings = async (): Promise<Body> => {
    const [record] = await hub.engine.store.loadWhere('user_settings', { user })
    return (record?.['settings'] ?? {}) as Body // an object in every record that this test makes
  }
  const quietHours = async () => (await call('GET /api/account/quiet-hours')).body as unknown as QuietHours // the response
  const records = () => hub.engine.store.loadWhere('quiet_hours', { user })
  return {
    user,
    call,
    settings,
    quietHours,
    records,
    tokenOf: hub.tokenOf,
    engine: hub.engine,
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  }
}

for (const kind of databases) {
  test(`${kind.name}: simultaneous changes of settings from many browsers are all stored, including the first`, async () => {
    await using hub = await personsHub(kind)
    const changes = Array.from({ length: 20 }, (_, number) => ({
      merge: { [`setting${number}`]: number },
      add: { emails: [`${number}@example.com`], webhooks: [`generic://example.com/${number}`] },
    }))
    const all = await Promise.all(changes.map((change) => hub.call('PATCH /api/account/settings', change)))
    assert.deepEqual(
      all.map(({ status }) => status),
      changes.map(() => 200),
    )
    const stored = await hub.settings()
    for (const [number] of changes.entries()) assert.equal(stored[`setting${number}`], number)
    const ownEmail = 'rita@example.com'
    assert.deepEqual([...(stored['emails'] as string[])].toSorted(), [ownEmail, ...changes.flatMap(({ add }) => add.emails)].toSorted()) // as they were sent
    assert.equal((stored['webhooks'] as string[]).length, 20) // as they were sent
    const { body } = await hub.call('PATCH /api/account/settings', { merge: { setting3: null }, remove: { emails: [ownEmail] } })
    assert.deepEqual(body['settings'], await hub.settings())
    assert.equal((await hub.settings())['setting3'], undefined)
    assert.equal(((await hub.settings())['emails'] as string[]).includes(ownEmail), false) // as they were sent
  })

  test(`${kind.name}: an admin’s settings and quiet hours are separate from those of other users`, async () => {
    await using hub = await personsHub(kind)
    await hub.call('PATCH /api/account/settings', { merge: { chartTime: '12h' } })
    await hub.call('POST /api/account/quiet-hours', { zone: 'UTC', type: 'daily', system: '', start: '22:00', end: '07:00' })
    const user = dataset.aliases['alice'] ?? ''
    await hub.engine.database.write((unit) => hub.engine.store.update(unit, 'users', user, { role: 'admin', verified: true }))
    const admin = await hub.tokenOf('alice')
    await hub.call('PATCH /api/account/settings', { merge: { chartTime: '30d' } }, admin)
    assert.equal((await hub.settings())['chartTime'], '12h')
    const { body } = await hub.call('GET /api/account/settings', undefined, admin)
    const [own] = await hub.engine.store.loadWhere('user_settings', { user })
    assert.deepEqual(body['settings'], own?.['settings'])
    assert.equal((body['settings'] as Body)['chartTime'], '30d') // an object, as asserted
    const shown = (await hub.call('GET /api/account/quiet-hours', undefined, admin)).body as unknown as QuietHours // the response
    assert.equal(shown.items.length, (await hub.engine.store.loadWhere('quiet_hours', { user })).length)
  })

  test(`${kind.name}: an invalid change of settings is refused completely`, async () => {
    await using hub = await personsHub(kind)
    await hub.call('PATCH /api/account/settings', { merge: { chartTime: '12h' } })
    const before = await hub.settings()
    for (const wrong of [
      { merge: [] },
      { merge: { emails: [] } },
      { add: { emails: 'a@example.com' } },
      { add: { emails: [7] } },
      { remove: { chartTime: ['12h'] } },
      { merge: { long: 'x'.repeat(1_000_001) } },
    ])
      assert.equal((await hub.call('PATCH /api/account/settings', wrong)).status, 400, JSON.stringify(wrong).slice(0, 80))
    assert.deepEqual(await hub.settings(), before)
    assert.equal((await hub.call('PATCH /api/account/settings', {}, '')).status, 401)
  })

  test(`${kind.name}: quiet hours are stored with their time zone and returned as entered`, async () => {
    await using hub = await personsHub(kind)
    assert.deepEqual(await hub.quietHours(), { zone: '', items: [] })
    const night = { zone: 'Europe/Berlin', type: 'daily', system: '', start: '22:00', end: '07:00' }
    assert.equal((await hub.call('POST /api/account/quiet-hours', night)).status, 200)
    const once = { ...night, type: 'one-time', start: '2026-07-10T20:00:00.000Z', end: '2026-07-11T05:00:00.000Z' }
    assert.equal((await hub.call('POST /api/account/quiet-hours', once)).status, 200)
    const { zone, items } = await hub.quietHours()
    assert.equal(zone, 'Europe/Berlin')
    assert.deepEqual(items.map(({ type, start, end }) => [type, start, end]).toSorted(), [
      ['daily', '22:00', '07:00'],
      ['one-time', '2026-07-10 20:00:00.000Z', '2026-07-11 05:00:00.000Z'],
    ])
    assert.equal((await hub.settings())['quietZone'], 'Europe/Berlin')
  })

  test(`${kind.name}: a browser with an outdated time zone gets 409, and no quiet hours are added`, async () => {
    await using hub = await personsHub(kind)
    const night = { zone: 'Europe/Berlin', type: 'daily', system: '', start: '22:00', end: '07:00' }
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']
    const added = await Promise.all(zones.map((zone) => hub.call('POST /api/account/quiet-hours', { ...night, zone })))
    assert.deepEqual(added.map(({ status }) => status).toSorted(), [200, 409, 409])
    assert.equal((await hub.records()).length, 1)
    const { zone } = await hub.quietHours()
    assert.equal(zone, zones[added.findIndex(({ status }) => status === 200)])
    assert.equal((await hub.call('PATCH /api/account/quiet-hours', { zone: 'UTC', was: 'Mars/Olympus' })).status, 409)
    assert.equal((await hub.quietHours()).zone, zone)
  })

  test(`${kind.name}: another time zone keeps the wall-clock times of daily quiet hours and the instants of one-time quiet hours`, async () => {
    await using hub = await personsHub(kind)
    const night = { zone: 'Europe/Berlin', type: 'daily', system: '', start: '22:00', end: '02:30' }
    const once = { ...night, type: 'one-time', start: '2026-07-10T20:00:00.000Z', end: '2026-07-11T05:00:00.000Z' }
    for (const body of [night, once]) await hub.call('POST /api/account/quiet-hours', body)
    const before = await hub.quietHours()
    const moved = await hub.call('PATCH /api/account/quiet-hours', { zone: 'America/New_York', was: 'Europe/Berlin' })
    assert.deepEqual(moved, { status: 200, body: { zone: 'America/New_York', items: before.items } })
    const [daily] = (await hub.records()).filter(({ type }) => type === 'daily')
    assert.equal(minuteOfDay(Date.parse(String(daily?.['start'])), 'America/New_York'), 22 * 60)
    const [other] = (await hub.records()).filter(({ type }) => type === 'one-time')
    assert.equal(other?.['start'], '2026-07-10 20:00:00.000Z')
  })

  test(`${kind.name}: quiet hours of other clients keep their time zone: UTC, or that of the settings`, async () => {
    await using hub = await personsHub(kind)
    const written = { user: hub.user, type: 'daily', start: '2025-06-01T20:00:00.000Z', end: '2025-06-02T05:00:00.000Z' }
    assert.equal((await hub.call('POST /api/collections/quiet_hours/records', written)).status, 200)
    const { zone, items } = await hub.quietHours()
    assert.deepEqual([zone, items[0]?.start, items[0]?.end], ['UTC', '20:00', '05:00'])
    // As another client stores it.
    const record = { user: hub.user, settings: { timeZone: 'Europe/Berlin' } }
    await hub.engine.database.write((unit) => hub.engine.store.insert(unit, 'user_settings', record))
    const chosen = await hub.quietHours()
    assert.deepEqual([chosen.zone, chosen.items[0]?.start, chosen.items[0]?.end], ['Europe/Berlin', '22:00', '07:00'])
    // A later change of the settings' time zone no longer moves them.
    await hub.call('PATCH /api/account/settings', { merge: { timeZone: 'Asia/Tokyo' } })
    assert.deepEqual(await hub.quietHours(), chosen)
    await hub.call('PATCH /api/account/settings', { merge: { quietZone: 'America/New_York' } })
    assert.deepEqual((await hub.quietHours()).items[0]?.start, '16:00')
  })

  test(`${kind.name}: invalid quiet hours are refused with an error for their field`, async () => {
    await using hub = await personsHub(kind)
    const night = { zone: 'Europe/Berlin', type: 'daily', system: '', start: '22:00', end: '07:00' }
    for (const [field, change] of [
      ['zone', { zone: 'Mars/Olympus' }],
      ['start', { start: '24:00' }],
      ['end', { end: '22:00' }],
      ['system', { system: 'nosuchsystem000' }],
      ['type', { type: 'weekly', start: '2026-07-10T20:00:00.000Z', end: '2026-07-11T05:00:00.000Z' }],
      ['end', { type: 'one-time', start: '2026-07-10T20:00:00.000Z', end: '2026-07-10T20:00:00.000Z' }],
    ] as const) {
      const { status, body } = await hub.call('POST /api/account/quiet-hours', { ...night, ...change })
      assert.deepEqual([status, Object.keys(body['data'] ?? {})], [400, [field]])
    }
    assert.deepEqual(await hub.quietHours(), { zone: '', items: [] })
    assert.deepEqual(await hub.settings(), {})
  })
}

test('mergedSettings changes the given settings only, whatever their names', () => {
  const names = fc.oneof(inheritedName, fc.constantFrom('chartTime', 'emails', 'webhooks'), fc.string())
  const addresses = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 5 })
  const stored = fc.array(fc.tuple(names, anyJson)).map((entries) => Object.fromEntries(entries))
  fc.assert(
    fc.property(stored, names, anyJson, fc.tuple(addresses, addresses), (before, name, value, [add, remove]) => {
      fc.pre(name !== 'emails' && name !== 'webhooks')
      const after = mergedSettings(before as Body, {
        merge: Object.fromEntries([[name, value as Json]]),
        add: { emails: add },
        remove: { webhooks: remove },
      }) // any JSON is a setting
      const kept = new Map(Object.entries(after))
      assert.deepEqual(kept.get(name), value === null ? undefined : value)
      for (const [other, stands] of Object.entries(before))
        if (other !== name && other !== 'emails' && other !== 'webhooks') assert.deepEqual(kept.get(other), stands)
      for (const address of add) assert.equal((kept.get('emails') as unknown[]).filter((one) => one === address).length >= 1, true) // a list once something was added
      for (const address of remove) assert.equal((kept.get('webhooks') as unknown[]).includes(address), false) // a list once something was removed
    }),
  )
})
