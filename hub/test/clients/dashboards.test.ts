import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { databases } from '../databases.ts'
import { newApiKey } from '../issued-keys.ts'
import { recordedHub } from '../recorded-hub.ts'
import {
  ALICE,
  LIST,
  SYSTEM,
  TALKATIVE,
  alert,
  ask,
  boss,
  container,
  containerStats,
  credentials,
  date,
  details,
  drive,
  gauge,
  id,
  only,
  pageOf,
  recent,
  resolved,
  service,
  status,
  token,
  where,
  type Ask,
} from './strict-decoding.ts'

/**
 * Dashboards, apps and integrations that decode strictly: each with the requests it sends, in its own spelling, and the keys
 * without which it fails.
 */

/** Client by client. */
const clients: Readonly<Record<string, readonly Ask[]>> = {
  'gethomepage, both versions of its widget': [
    { request: 'POST /api/admins/auth-with-password', body: boss, answer: z.object({ token, admin: z.object({ id, email: z.string() }) }) },
    { request: 'POST /api/collections/_superusers/auth-with-password', body: boss, answer: z.object({ token }).loose() },
    {
      as: 'super',
      bearer: true,
      request: `${LIST}/systems/records?page=1&perPage=500&sort=%2Bcreated&${only(TALKATIVE)}`,
      answer: pageOf(gauge),
    },
    // The client signs in again when there are no items, and gives up on 401.
    {
      request: `${LIST}/systems/records?page=1&perPage=500&sort=%2Bcreated`,
      answer: z.object({ items: z.tuple([]), totalItems: z.literal(0) }).loose(),
    },
  ],
  Homarr: [
    {
      request: 'POST /api/collections/users/auth-with-password',
      body: credentials,
      answer: z.object({ token, record: z.object({ id }).loose() }),
    },
    { as: 'alice', request: `${LIST}/systems/records?perPage=500&sort=-updated&${only(TALKATIVE)}`, answer: pageOf(gauge) },
    { as: 'alice', request: `${LIST}/system_details/records/${SYSTEM}`, answer: details },
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?${where(recent)}&sort=-created&perPage=60`,
      answer: pageOf(z.object({ created: date, stats: z.object({}).loose() }).loose()),
    },
    { as: 'alice', request: `${LIST}/container_stats/records?${where(recent)}&sort=-created&perPage=90`, answer: pageOf(containerStats) },
    { as: 'alice', request: `${LIST}/containers/records?sort=-updated`, answer: pageOf(container) },
    { as: 'alice', request: `${LIST}/smart_devices/records`, answer: pageOf(drive) },
    { as: 'alice', request: `${LIST}/systemd_services/records?sort=name`, answer: pageOf(service) },
    { as: 'alice', request: `${LIST}/alerts/records?perPage=500`, answer: pageOf(alert) },
    { as: 'alice', request: `${LIST}/alerts_history/records?sort=-created`, answer: pageOf(resolved) },
    {
      as: 'alice',
      request: 'POST /api/collections/alerts/records',
      body: { system: SYSTEM, user: ALICE, name: 'Disk', value: 80, min: 10, triggered: false },
      answer: alert,
    },
    { as: 'alice', request: 'PATCH /api/collections/alerts/records/alr000000000001', body: { value: 90, min: 5 }, answer: alert },
    { as: 'alice', request: 'DELETE /api/collections/alerts/records/alr000000000001', status: 204 },
    {
      as: 'alice',
      request: 'PATCH /api/collections/systems/records/sys000000000002',
      body: { status: 'paused' },
      answer: z.object({ status: z.literal('paused') }).loose(),
    },
    {
      as: 'alice',
      request: 'PATCH /api/collections/systems/records/sys000000000002',
      body: { status: 'pending' },
      answer: z.object({ status: z.literal('pending') }).loose(),
    },
    { as: 'alice', request: 'DELETE /api/collections/systems/records/sys000000000002', status: 204 },
  ],
  'Glance and its forks': [
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/systems/records?perPage=200&sort=name`,
      answer: pageOf(z.object({ id, name: z.string(), status }).loose()),
    },
    { as: 'alice', bearer: true, request: `${LIST}/alerts/records?filter=triggered=true`, answer: pageOf(alert) },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/containers/records?filter=system="${SYSTEM}"&perPage=200&sort=name`,
      answer: pageOf(container),
    },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/systemd_services/records?filter=system="${SYSTEM}"&perPage=200&sort=name`,
      answer: pageOf(service),
    },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/smart_devices/records?filter=system="${SYSTEM}"&perPage=200&sort=name`,
      answer: pageOf(drive),
    },
    { as: 'alice', bearer: true, request: `${LIST}/system_details/records?perPage=200`, answer: pageOf(z.object({ system: id }).loose()) },
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?page=1&perPage=500&skipTotal=1&${where(`system='${SYSTEM}' && created > '2024-01-01 00:00:00' && type='1m'`)}&fields=created,stats&sort=created`,
      answer: z
        .object({ totalItems: z.literal(-1), items: z.array(z.strictObject({ created: date, stats: z.object({}).loose() })).nonempty() })
        .loose(),
    },
  ],
  'microcontroller displays, which need unrequested fields omitted': [
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?perPage=3&skipTotal=1&sort=-created&fields=system,stats`,
      answer: z.object({ items: z.array(z.strictObject({ system: id, stats: z.object({}).loose() })).nonempty() }).loose(),
    },
    {
      as: 'alice',
      request: `${LIST}/systems/records?sort=name&fields=id,name,status,info&perPage=100`,
      answer: z.object({ items: z.array(z.strictObject({ id, name: z.string(), status, info: z.unknown() })) }).loose(),
    },
  ],
  'Home Assistant, three integrations': [
    { as: 'alice', request: `${LIST}/systems/records?page=1&perPage=100&sort=-status,name`, answer: pageOf(z.object({ id }).loose()) },
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?page=1&perPage=1&filter=system="${SYSTEM}"&sort=-created`,
      answer: pageOf(z.object({ stats: z.object({}).loose() }).loose()),
    },
    { request: 'POST /api/collections/users/auth-refresh', status: 401 },
    { as: 'alice', request: 'GET /api/beszel/info', answer: z.object({ v: z.string(), cu: z.boolean(), key: z.string() }) },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/systems/records?perPage=200&page=1`,
      answer: pageOf(z.object({ id, name: z.string() }).loose()),
    },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/system_stats/records?filter=system='${SYSTEM}' && type='1m'&sort=-created&page=1&perPage=1`,
      answer: pageOf(z.object({ stats: z.object({}).loose() }).loose()),
    },
    // A collection that does not exist on older hubs.
    { as: 'alice', bearer: true, request: `${LIST}/network_monitors/records?page=1&perPage=200`, status: 404 },
    { request: 'POST /api/collections/users/auth-with-password', body: { ...credentials, password: 'wrong' }, status: 400 },
  ],
  ioBroker: [
    { as: 'alice', request: `${LIST}/systems/records?sort=name&perPage=200`, answer: pageOf(z.object({ id }).loose()) },
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?sort=-updated&filter=type%3D'1m'&perPage=200`,
      answer: pageOf(z.object({ updated: date }).loose()),
    },
    { as: 'alice', request: `${LIST}/containers/records?sort=system%2Cname&perPage=200`, answer: pageOf(container) },
  ],
}

for (const kind of databases) {
  for (const [client, asks] of Object.entries(clients)) {
    test(`${kind.name}: ${client}`, async () => {
      await using hub = await recordedHub(kind)
      for (const one of asks) await ask(hub, one)
    })

    test(`${kind.name}: ${client}, with an API key in place of the session`, async () => {
      await using hub = await recordedHub(kind)
      const isWriting = asks.some(({ as, request }) => as !== undefined && !request.startsWith('GET '))
      const scope = isWriting ? 'write' : 'read'
      const keys = new Map([
        ['alice', await newApiKey(hub, 'alice', scope)],
        ['super', await newApiKey(hub, 'boss', scope)],
      ])
      for (const one of asks.filter(({ as }) => as !== undefined)) await ask(hub, one, keys)
    })
  }

  test(`${kind.name}: tokens contain their expiry time in a payload that browsers can decode`, async () => {
    await using hub = await recordedHub(kind)
    const answer = await ask(hub, { request: 'POST /api/collections/users/auth-with-password', body: credentials })
    const [, payload = ''] = z.object({ token }).parse(answer).token.split('.')
    const claims = z
      .object({ id, exp: z.int(), type: z.string(), collectionId: z.string() })
      .loose()
      .parse(JSON.parse(atob(payload)))
    assert.ok(claims.exp > Date.now() / 1000)
  })
}
