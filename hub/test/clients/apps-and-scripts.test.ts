import { test } from 'node:test'
import { z } from 'zod'
import { databases } from '../databases.ts'
import { recordedHub } from '../recorded-hub.ts'
import {
  ALICE,
  LIST,
  SYSTEM,
  alert,
  ask,
  container,
  containerStats,
  credentials,
  date,
  id,
  pageOf,
  resolved,
  stats,
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
  'the app for iOS and macOS, which decodes strictly': [
    {
      request: 'GET /api/collections/users/auth-methods',
      answer: z
        .object({
          password: z.object({ enabled: z.boolean() }).loose(),
          oauth2: z.object({
            enabled: z.boolean(),
            providers: z.array(
              z.object({ name: z.string(), displayName: z.string(), authUrl: z.string(), codeVerifier: z.string() }).loose(),
            ),
          }),
          mfa: z.object({ enabled: z.boolean() }).loose(),
          otp: z.object({ enabled: z.boolean() }).loose(),
        })
        .loose(),
    },
    {
      request: 'POST /api/collections/users/auth-with-password',
      body: credentials,
      answer: z.object({ token, record: z.object({ id, email: z.string() }).loose() }),
    },
    {
      as: 'alice',
      bearer: true,
      request: 'POST /api/collections/users/auth-refresh',
      answer: z.object({ token, record: z.object({ email: z.string() }).loose() }),
    },
    { as: 'alice', bearer: true, request: `${LIST}/containers/records?perPage=500&page=1`, answer: pageOf(container) },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/container_stats/records?perPage=500&page=1&${where(`created >= '2024-01-01 00:00:00.000Z' && type = '1m'`)}`,
      answer: pageOf(containerStats),
    },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/system_stats/records?perPage=500&page=1&${where(`created >= '2024-01-01 00:00:00.000Z' && type = '1m' && system = '${SYSTEM}'`)}`,
      answer: pageOf(stats),
    },
    { as: 'alice', bearer: true, request: `${LIST}/alerts/records?perPage=500&page=1`, answer: pageOf(alert) },
    { as: 'alice', bearer: true, request: `${LIST}/alerts_history/records?perPage=500&page=1`, answer: pageOf(resolved) },
    {
      as: 'alice',
      bearer: true,
      request: 'POST /api/collections/alerts/records',
      body: { user: ALICE, system: SYSTEM, name: 'Memory', value: 70, min: 10 },
      answer: alert,
    },
  ],
  'the app for Android': [
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/alerts/records?expand=system&filter=user="${ALICE}"`,
      answer: pageOf(z.object({ expand: z.object({ system: z.object({ name: z.string() }).loose() }) }).loose()),
    },
    { as: 'alice', bearer: true, request: `${LIST}/alerts_history/records?expand=system&filter=user="${ALICE}"`, answer: pageOf(resolved) },
    {
      as: 'alice',
      bearer: true,
      request: `${LIST}/system_stats/records?filter=system="${SYSTEM}"%26%26type="1m"`,
      answer: pageOf(z.object({ id }).loose()),
    },
    { as: 'alice', bearer: true, request: 'GET /api/beszel/info', answer: z.object({ v: z.string() }).loose() },
  ],
  'command lines, assistants and launchers': [
    {
      as: 'super',
      request: `${LIST}/systems/records?filter=name = "web-1"&fields=id,name&skipTotal=true`,
      answer: z.object({ items: z.tuple([z.strictObject({ id, name: z.string() })]) }).loose(),
    },
    { as: 'alice', request: `GET /api/beszel/systemd/info?system=${SYSTEM}&service=nope`, status: 404 },
    { request: 'POST /api/collections/users/auth-with-password', body: credentials, form: true, answer: z.object({ token }).loose() },
  ],
  'exporters for Prometheus': [
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?perPage=200&sort=created&${where('created >= "2024-01-01 00:00:00" && created <= "2099-01-01 00:00:00"')}`,
      answer: pageOf(z.object({ created: date }).loose()),
    },
    {
      as: 'alice',
      request: `${LIST}/system_stats/records?perPage=500&skipTotal=1&sort=-created&fields=system,stats,created,type&${where('(type="1m") && created >= "2024-01-01 00:00:00.000Z"')}`,
      answer: z
        .object({ items: z.array(z.strictObject({ system: id, stats: z.unknown(), created: date, type: z.literal('1m') })).nonempty() })
        .loose(),
    },
    { as: 'alice', request: `${LIST}/zfs_pools/records`, status: 404 },
  ],
  Ansible: [
    {
      as: 'super',
      request: `${LIST}/systems/records?page=1&perPage=1&filter=name='web-1'&skipTotal=1`,
      answer: z
        .object({ items: z.tuple([z.object({ port: z.string().regex(/^\d+$/), users: z.tuple([z.literal(ALICE), id]) }).loose()]) })
        .loose(),
    },
    {
      as: 'super',
      request: `${LIST}/users/records?page=1&perPage=1&filter=email='alice@example.com'`,
      answer: pageOf(z.object({ id: z.literal(ALICE) }).loose()),
    },
    {
      as: 'super',
      request: 'POST /api/collections/systems/records',
      body: { name: 'made', host: '10.0.0.9', port: 45876, users: [ALICE] },
      answer: z.object({ port: z.literal('45876'), status: z.literal('pending'), users: z.tuple([z.literal(ALICE)]) }).loose(),
    },
    {
      as: 'alice',
      request: 'GET /api/beszel/universal-token?enable=1&permanent=1&token=chosen-by-the-playbook',
      answer: z.object({ token: z.literal('chosen-by-the-playbook'), active: z.literal(true), permanent: z.literal(true) }),
    },
    { as: 'alice', request: 'GET /api/beszel/getkey', answer: z.object({ key: z.string() }).loose() },
  ],
  'a tool that creates users from an identity provider': [
    {
      as: 'super',
      request: 'POST /api/collections/users/records',
      body: {
        email: 'new@example.com',
        emailVisibility: true,
        verified: true,
        password: 'long enough',
        passwordConfirm: 'long enough',
        role: 'user',
      },
      answer: z.object({ id, email: z.literal('new@example.com'), verified: z.literal(true) }).loose(),
    },
    {
      as: 'super',
      request: `POST /api/collections/users/impersonate/${ALICE}`,
      body: { duration: 60 },
      answer: z.object({ token, record: z.object({ id: z.literal(ALICE) }).loose() }),
    },
    {
      as: 'super',
      request: `${LIST}/systems/records?${where(`users ~ "${ALICE}"`)}`,
      answer: pageOf(z.object({ users: z.array(id) }).loose()),
    },
    {
      as: 'alice',
      request: `${LIST}/_externalAuths/records?filter=recordRef = "${ALICE}"`,
      answer: z.object({ items: z.array(z.unknown()), totalItems: z.int() }).loose(),
    },
  ],
}

for (const kind of databases) {
  for (const [client, asks] of Object.entries(clients)) {
    test(`${kind.name}: ${client}`, async () => {
      await using hub = await recordedHub(kind)
      for (const one of asks) await ask(hub, one)
    })
  }
}
