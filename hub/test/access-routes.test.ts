import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from './databases.ts'
import { dataset, recordedHub } from './recorded-hub.ts'
import { newSaved, send } from './recorded-step.ts'

/** A guest, who may only look, somebody else, the owner, an admin; in this order every route is asked. */
const people = ['guest', 'rita', 'bob', 'alice', 'boss'] as const

type Row = {
  /** What is asked, and the body. */
  readonly path?: string
  readonly body?: Json
  /** The status each of the people gets, in their order. 400 is past the door: what was sent is nothing. */
  readonly statuses: readonly [guest: number, readonly: number, other: number, owner: number, admin: number]
}

const SYSTEM = 'sys000000000005'
const open: Row = { statuses: [200, 200, 200, 200, 200] }
const nothing: Row = { statuses: [400, 400, 400, 400, 400] }
const anybodySignedIn: Row = { statuses: [401, 200, 200, 200, 200] }
const nothingSignedIn: Row = { statuses: [401, 400, 400, 400, 400] }
const admins: Row = { statuses: [401, 403, 403, 403, 200] }
const nothingAdmins: Row = { statuses: [401, 403, 403, 403, 400] }
/** Admins of the oldest generation sign in by themselves; all of these people have signed in as users. */
const oldAdmins: Row = { statuses: [401, 401, 401, 401, 401] }
const usersOwn = `/api/collections/users/records/${dataset.aliases['alice'] ?? ''}`

const at = (row: Row, path: string, body?: Json): Row => ({ ...row, path, ...(body === undefined ? {} : { body }) })

/** Every route of the hub. A new one is not served before somebody has said here who may use it. */
const table: Readonly<Record<string, Row>> = {
  'GET /*': at(open, '/systems'),
  'GET /agent/*': at(open, '/agent/'),
  'GET /api/health': open,
  'GET /api/health/': open,
  'GET /api/beszel/first-run': open,
  'POST /api/beszel/create-user': { body: { email: 'x@example.com', password: 'long enough' }, statuses: [403, 403, 403, 403, 403] },
  'GET /api/beszel/getkey': anybodySignedIn,
  'POST /api/beszel/getkey': { statuses: [404, 200, 200, 200, 200] },
  'GET /api/beszel/info': anybodySignedIn,
  'POST /api/beszel/info': { statuses: [404, 200, 200, 200, 200] },
  'GET /api/beszel/agent-connect': nothing,
  'GET /api/beszel/config-yaml': admins,
  'GET /api/beszel/heartbeat-status': admins,
  'POST /api/beszel/test-heartbeat': admins,
  'POST /api/beszel/test-notification': nothingSignedIn,
  'GET /api/beszel/universal-token': { statuses: [401, 403, 200, 200, 200] },
  'GET /api/vedette/alerts/rehearsal': at(
    { statuses: [401, 404, 404, 200, 200] },
    `/api/vedette/alerts/rehearsal?system=${SYSTEM}&name=CPU&value=80&min=10`,
  ),
  'GET /api/vedette/deliveries': anybodySignedIn,
  'GET /api/vedette/web-push-key': anybodySignedIn,
  'GET /api/vedette/incidents': anybodySignedIn,
  'GET /api/vedette/incidents/noisy': anybodySignedIn,
  'POST /api/beszel/user-alerts': nothingSignedIn,
  'DELETE /api/beszel/user-alerts': nothingSignedIn,
  'GET /api/beszel/containers/info': at(
    { statuses: [401, 404, 404, 500, 500] },
    `/api/beszel/containers/info?system=${SYSTEM}&container=abcdefabcdef`,
  ),
  'GET /api/beszel/containers/logs': at(
    { statuses: [401, 404, 404, 500, 500] },
    `/api/beszel/containers/logs?system=${SYSTEM}&container=abcdefabcdef`,
  ),
  'GET /api/beszel/systemd/info': at({ statuses: [401, 404, 404, 404, 404] }, `/api/beszel/systemd/info?system=${SYSTEM}&service=x`),
  'POST /api/beszel/smart/refresh': at({ statuses: [401, 403, 404, 500, 500] }, `/api/beszel/smart/refresh?system=${SYSTEM}`),
  'GET /api/vedette/storing': anybodySignedIn,
  'GET /api/vedette/audit': admins,
  'GET /api/vedette/hub-health': admins,
  'POST /api/vedette/providers/:name/test': nothingAdmins,
  'GET /api/vedette/filter': at(admins, '/api/vedette/filter?collection=systems&filter=name'),
  'GET /api/vedette/settings/retention': admins,
  'PATCH /api/vedette/settings/retention': at(admins, '/api/vedette/settings/retention', { mostBytes: null }),
  'GET /api/history/:system': at({ statuses: [404, 404, 404, 200, 200] }, `/api/history/${SYSTEM}`),
  'GET /api/systems/:system/events': at({ statuses: [404, 404, 404, 200, 200] }, `/api/systems/${SYSTEM}/events`),
  'GET /api/vedette/systems/:system/diagnosis': at({ statuses: [401, 404, 404, 500, 500] }, `/api/vedette/systems/${SYSTEM}/diagnosis`),
  'POST /api/vedette/systems/:system/accept-host-key': at(
    { statuses: [401, 403, 403, 403, 400] },
    `/api/vedette/systems/${SYSTEM}/accept-host-key`,
  ),
  'POST /api/vedette/systems/:system/forget-proof': at(
    { statuses: [401, 403, 403, 403, 500] },
    `/api/vedette/systems/${SYSTEM}/forget-proof`,
  ),
  'GET /api/vedette/openapi.json': open,
  'GET /api/realtime': open,
  'POST /api/realtime': nothing,
  'POST /api/batch': nothing,
  'POST /api/account/profile': anybodySignedIn,
  'POST /api/account/password': nothingSignedIn,
  'POST /api/account/email': nothingSignedIn,
  'GET /api/account/settings': anybodySignedIn,
  'PATCH /api/account/settings': at(anybodySignedIn, '/api/account/settings', {}),
  'GET /api/account/quiet-hours': anybodySignedIn,
  'POST /api/account/quiet-hours': nothingSignedIn,
  'PATCH /api/account/quiet-hours': nothingSignedIn,
  'GET /api/account/sessions': anybodySignedIn,
  'DELETE /api/account/sessions/:id': { statuses: [401, 404, 404, 404, 404] },
  'DELETE /api/account/sessions': anybodySignedIn,
  'GET /api/collections': admins,
  'POST /api/collections': nothingAdmins,
  'PUT /api/collections': nothingAdmins,
  'PATCH /api/collections': nothingAdmins,
  'DELETE /api/collections': nothingAdmins,
  'GET /api/collections/:collection': at(admins, '/api/collections/systems'),
  'POST /api/collections/:collection': at(nothingAdmins, '/api/collections/systems'),
  'PUT /api/collections/:collection': at(nothingAdmins, '/api/collections/import'),
  'PATCH /api/collections/:collection': at(nothingAdmins, '/api/collections/systems'),
  'DELETE /api/collections/:collection': at(nothingAdmins, '/api/collections/systems'),
  'GET /api/collections/meta/scaffolds': admins,
  'POST /api/collections/meta/dry-run-view': nothingAdmins,
  'DELETE /api/collections/:collection/truncate': at(nothingAdmins, '/api/collections/systems/truncate'),
  'GET /api/collections/meta/oauth2-providers': admins,
  'GET /api/collections/:collection/records': at(open, '/api/collections/systems/records'),
  'POST /api/collections/:collection/records': at(nothing, '/api/collections/systems/records', {}),
  'GET /api/collections/:collection/records/:id': at({ statuses: [404, 404, 404, 200, 200] }, `/api/collections/systems/records/${SYSTEM}`),
  'PATCH /api/collections/:collection/records/:id': at(
    { statuses: [404, 404, 404, 200, 200] },
    `/api/collections/systems/records/${SYSTEM}`,
    {},
  ),
  'DELETE /api/collections/:collection/records/:id': at(
    { statuses: [404, 404, 404, 204, 404] },
    '/api/collections/alerts/records/alr000000000001',
  ),
  'GET /api/collections/:collection/records/:id/external-auths': at({ statuses: [401, 403, 403, 200, 200] }, `${usersOwn}/external-auths`),
  'DELETE /api/collections/:collection/records/:id/external-auths/:provider': at(
    { statuses: [401, 403, 403, 404, 404] },
    `${usersOwn}/external-auths/google`,
  ),
  'GET /api/collections/:collection/auth-methods': at(open, '/api/collections/users/auth-methods'),
  'POST /api/collections/:collection/auth-with-password': at(nothing, '/api/collections/users/auth-with-password'),
  'POST /api/collections/:collection/auth-refresh': at(anybodySignedIn, '/api/collections/users/auth-refresh'),
  'POST /api/collections/:collection/auth-with-oauth2': at(
    { statuses: [403, 403, 403, 403, 403] },
    '/api/collections/users/auth-with-oauth2',
  ),
  'POST /api/collections/:collection/request-otp': at({ statuses: [403, 403, 403, 403, 403] }, '/api/collections/users/request-otp'),
  'POST /api/collections/:collection/auth-with-otp': at({ statuses: [403, 403, 403, 403, 403] }, '/api/collections/users/auth-with-otp'),
  'GET /api/vedette/sign-in': open,
  'POST /api/collections/:collection/impersonate/:id': at(admins, `/api/collections/users/impersonate/${dataset.aliases['alice'] ?? ''}`),
  'POST /api/collections/:collection/request-password-reset': at(nothing, '/api/collections/users/request-password-reset'),
  'POST /api/collections/:collection/confirm-password-reset': at(nothing, '/api/collections/users/confirm-password-reset'),
  'POST /api/collections/:collection/request-verification': at(nothing, '/api/collections/users/request-verification'),
  'POST /api/collections/:collection/confirm-verification': at(nothing, '/api/collections/users/confirm-verification'),
  'POST /api/collections/:collection/request-email-change': at(nothingSignedIn, '/api/collections/users/request-email-change'),
  'POST /api/collections/:collection/confirm-email-change': at(nothing, '/api/collections/users/confirm-email-change'),
  'GET /api/oauth2-redirect': { statuses: [307, 307, 307, 307, 307] },
  'POST /api/oauth2-redirect': { statuses: [303, 303, 303, 303, 303] },
  'POST /api/files/token': anybodySignedIn,
  'GET /api/files/:collection/:record/:file': { statuses: [404, 404, 404, 404, 404] },
  'GET /api/settings': admins,
  'PATCH /api/settings': at(admins, '/api/settings', {}),
  'POST /api/settings/test/email': nothingAdmins,
  'POST /api/settings/test/s3': nothingAdmins,
  'POST /api/settings/apple/generate-client-secret': nothingAdmins,
  'GET /api/logs': admins,
  'GET /api/logs/': admins,
  'GET /api/vedette/logs': admins,
  'GET /api/vedette/logs/histogram': admins,
  'GET /api/vedette/logs/size': admins,
  'GET /api/vedette/logs/export': admins,
  'GET /api/logs/:id': { statuses: [401, 403, 403, 403, 404] },
  'GET /api/logs/stats': admins,
  'DELETE /api/logs': { statuses: [401, 403, 403, 403, 204] },
  'GET /api/backups': admins,
  'POST /api/backups': at(nothingAdmins, '/api/backups', { name: 'NO NAME' }),
  'POST /api/backups/upload': nothingAdmins,
  'GET /api/backups/:name': at({ statuses: [403, 403, 403, 403, 403] }, '/api/backups/none.zip'),
  'DELETE /api/backups/:name': nothingAdmins,
  'POST /api/backups/:name/restore': nothingAdmins,
  'GET /api/vedette/backups': admins,
  'POST /api/vedette/backups': nothingAdmins,
  'POST /api/vedette/backups/:name/verify': nothingAdmins,
  'POST /api/vedette/backups/:name/download': nothingAdmins,
  'POST /api/vedette/backups/:name/restore': nothingAdmins,
  'GET /api/crons': admins,
  'GET /api/vedette/jobs': admins,
  'POST /api/crons/:id': { statuses: [401, 403, 403, 403, 404] },
  'POST /api/admins/auth-with-password': nothing,
  'POST /api/admins/auth-refresh': { statuses: [401, 401, 401, 401, 401] },
  'POST /api/admins/request-password-reset': nothing,
  'POST /api/admins/confirm-password-reset': nothing,
  'GET /api/admins': oldAdmins,
  'POST /api/admins': at(oldAdmins, '/api/admins', {}),
  'GET /api/admins/:id': at(oldAdmins, '/api/admins/boss00000000001'),
  'PATCH /api/admins/:id': at(oldAdmins, '/api/admins/boss00000000001', {}),
  'DELETE /api/admins/:id': at(oldAdmins, '/api/admins/usralice0000001'),
}

for (const kind of databases) {
  test(`${kind.name}: every route is open to whom the table says, and to nobody else`, async (t) => {
    await using hub = await recordedHub(kind)
    const served = new Set(hub.app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`))
    assert.deepEqual([...served].toSorted(), Object.keys(table).toSorted())
    for (const [route, { path, body, statuses }] of Object.entries(table)) {
      await t.test(route, async () => {
        const [method = '', pattern = ''] = route.split(' ')
        const got: number[] = []
        for (const as of people) {
          const step = { as, method, path: path ?? pattern, ...(body === undefined ? {} : { json: body }), response: { status: 0 } }
          const response = await send(hub, step, newSaved())
          await response.body?.cancel()
          got.push(response.status)
        }
        assert.deepEqual(got, statuses)
      })
    }
  })
}
