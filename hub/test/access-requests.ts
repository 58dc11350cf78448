import type { Json } from '@vedette/protocol/wire/stats-json'
import type { RouteDeclaration } from '../src/http/routing/define-route.ts'
import { dataset } from './recorded-hub.ts'

type Statuses = readonly [guest: number, readonly: number, other: number, owner: number, admin: number, superuser: number]

export type Row = {
  readonly method?: string
  readonly path?: string
  readonly body?: Json
  /** The status after the access check; 200 by default. 400 and 404 come from the handler, since the request has no usable content. */
  readonly behind?: number
  /** The status for each caller of a route that checks access in its handler. */
  readonly statuses?: Statuses
}

const SYSTEM = 'sys000000000005'
const ALICE = dataset.aliases['alice'] ?? ''
const usersOwn = `/api/collections/users/records/${ALICE}`
const everyone = (status: number): Row => ({ statuses: [status, status, status, status, status, status] })
const at = (path: string, row: Row = {}): Row => ({ ...row, path })

/** The request of each route that needs more than its path, and its status where the declaration does not imply it. */
export const rows: Readonly<Record<string, Row>> = {
  'GET /agent/*': at('/agent/'),
  'POST /api/beszel/create-user': { ...everyone(403), body: { email: 'x@example.com', password: 'long enough' } },
  'GET /api/beszel/getkey': { statuses: [401, 200, 200, 200, 200, 200] },
  'POST /api/beszel/getkey': { statuses: [404, 200, 200, 200, 200, 200] },
  'GET /api/beszel/info': { statuses: [401, 200, 200, 200, 200, 200] },
  'POST /api/beszel/info': { statuses: [404, 200, 200, 200, 200, 200] },
  'GET /api/beszel/agent-connect': everyone(400),
  'POST /api/beszel/test-notification': { behind: 400 },
  'GET /api/beszel/universal-token': { statuses: [401, 403, 200, 200, 200, 403] },
  'GET /api/vedette/alerts/preview': at(`/api/vedette/alerts/preview?system=${SYSTEM}&name=CPU&value=80&min=10`, {
    statuses: [401, 404, 404, 200, 200, 200],
  }),
  'POST /api/beszel/user-alerts': { body: { name: 'CPU', value: 80, min: 10, systems: [SYSTEM] } },
  'DELETE /api/beszel/user-alerts': { behind: 400 },
  'GET /api/beszel/containers/info': at(`/api/beszel/containers/info?system=${SYSTEM}&container=abcdefabcdef`, {
    statuses: [401, 404, 404, 500, 500, 500],
  }),
  'GET /api/beszel/containers/logs': at(`/api/beszel/containers/logs?system=${SYSTEM}&container=abcdefabcdef`, {
    statuses: [401, 404, 404, 500, 500, 500],
  }),
  'GET /api/beszel/systemd/info': at(`/api/beszel/systemd/info?system=${SYSTEM}&service=x`, { statuses: [401, 404, 404, 404, 404, 404] }),
  'POST /api/beszel/smart/refresh': at(`/api/beszel/smart/refresh?system=${SYSTEM}`, { statuses: [401, 403, 404, 500, 500, 500] }),
  'POST /api/vedette/deleted-tags': { behind: 400 },
  'POST /api/vedette/deleted-tags/:id/restore': { behind: 404 },
  'POST /api/vedette/providers/:name/test': { behind: 400 },
  'GET /api/vedette/filter': at('/api/vedette/filter?collection=systems&filter=name'),
  'PATCH /api/vedette/settings/retention': { body: { mostBytes: null } },
  'GET /api/history/:system': at(`/api/history/${SYSTEM}`, { statuses: [404, 404, 404, 200, 200, 200] }),
  'GET /api/systems/:system/events': at(`/api/systems/${SYSTEM}/events`, { statuses: [404, 404, 404, 200, 200, 200] }),
  'GET /api/vedette/systems/:system/diagnosis': at(`/api/vedette/systems/${SYSTEM}/diagnosis`, {
    statuses: [401, 404, 404, 500, 500, 500],
  }),
  'POST /api/vedette/incidents/:incident/acknowledge': at('/api/vedette/incidents/none/acknowledge', {
    statuses: [401, 404, 404, 404, 404, 404],
  }),
  'POST /api/vedette/message-preview': { body: { title: '{system}', text: '{text}' } },
  'POST /api/vedette/acknowledgement/view': { ...everyone(404), body: { token: 'none' } },
  'POST /api/vedette/acknowledgement': { ...everyone(404), body: { token: 'none', name: 'Ada' } },
  'GET /api/vedette/systems/:system/alert-rules': at(`/api/vedette/systems/${SYSTEM}/alert-rules`, {
    statuses: [401, 404, 404, 200, 200, 200],
  }),
  'GET /api/vedette/systems/:system/upstreams': at(`/api/vedette/systems/${SYSTEM}/upstreams`, {
    statuses: [401, 404, 404, 200, 200, 200],
  }),
  'POST /api/vedette/systems/:system/accept-host-key': at(`/api/vedette/systems/${SYSTEM}/accept-host-key`, { behind: 400 }),
  'POST /api/vedette/systems/:system/forget-proof': at(`/api/vedette/systems/${SYSTEM}/forget-proof`, { behind: 500 }),
  'POST /api/realtime': everyone(400),
  'POST /api/batch': everyone(400),
  'POST /api/account/password': { behind: 400 },
  'POST /api/account/email': { behind: 400 },
  'PATCH /api/account/settings': { body: {} },
  'POST /api/account/api-keys': { statuses: [401, 400, 400, 400, 400, 403] },
  'DELETE /api/account/api-keys/:id': { behind: 404 },
  'DELETE /api/vedette/api-keys/:id': { behind: 404 },
  'POST /api/account/authenticator-app': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/authenticator-app/confirm': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/authenticator-app/remove': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/passkeys': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/passkeys/options': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/passkeys/:id/remove': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/recovery-codes': { statuses: [401, 403, 403, 403, 403, 403] },
  'POST /api/account/quiet-hours': { behind: 400 },
  'PATCH /api/account/quiet-hours': { behind: 400 },
  'DELETE /api/account/sessions/:id': { behind: 404 },
  'POST /api/collections': { behind: 400 },
  'PUT /api/collections': { behind: 400 },
  'PATCH /api/collections': { behind: 400 },
  'DELETE /api/collections': { behind: 400 },
  'GET /api/collections/:collection': at('/api/collections/systems'),
  'POST /api/collections/:collection': at('/api/collections/systems', { behind: 400 }),
  'PUT /api/collections/:collection': at('/api/collections/import', { behind: 400 }),
  'PATCH /api/collections/:collection': at('/api/collections/systems', { behind: 400 }),
  'DELETE /api/collections/:collection': at('/api/collections/systems', { behind: 400 }),
  'POST /api/collections/meta/dry-run-view': { behind: 400 },
  'DELETE /api/collections/:collection/truncate': at('/api/collections/systems/truncate', { behind: 400 }),
  'GET /api/collections/:collection/records': at('/api/collections/systems/records', everyone(200)),
  'POST /api/collections/:collection/records': at('/api/collections/systems/records', { ...everyone(400), body: {} }),
  'GET /api/collections/:collection/records/:id': at(`/api/collections/systems/records/${SYSTEM}`, {
    statuses: [404, 404, 404, 200, 200, 200],
  }),
  'PATCH /api/collections/:collection/records/:id': at(`/api/collections/systems/records/${SYSTEM}`, {
    statuses: [404, 404, 404, 200, 200, 200],
    body: {},
  }),
  'DELETE /api/collections/:collection/records/:id': at('/api/collections/alerts/records/alr000000000001', {
    statuses: [404, 404, 404, 204, 404, 404],
  }),
  'GET /api/collections/:collection/records/:id/external-auths': at(`${usersOwn}/external-auths`, {
    statuses: [401, 403, 403, 200, 200, 200],
  }),
  'DELETE /api/collections/:collection/records/:id/external-auths/:provider': at(`${usersOwn}/external-auths/google`, {
    statuses: [401, 403, 403, 404, 404, 404],
  }),
  'GET /api/collections/:collection/auth-methods': at('/api/collections/users/auth-methods'),
  'POST /api/collections/:collection/auth-with-password': at('/api/collections/users/auth-with-password', { behind: 400 }),
  'POST /api/collections/:collection/auth-refresh': at('/api/collections/users/auth-refresh', {
    statuses: [401, 200, 200, 200, 200, 403],
  }),
  'POST /api/collections/:collection/auth-with-oauth2': at('/api/collections/users/auth-with-oauth2', { behind: 403 }),
  'POST /api/collections/:collection/request-otp': at('/api/collections/users/request-otp', { behind: 403 }),
  'POST /api/collections/:collection/auth-with-otp': at('/api/collections/users/auth-with-otp', { behind: 403 }),
  'POST /api/collections/:collection/auth-with-second-factor': at('/api/collections/users/auth-with-second-factor', { behind: 400 }),
  'POST /api/collections/:collection/second-factor-setup': at('/api/collections/users/second-factor-setup', everyone(400)),
  'POST /api/collections/:collection/confirm-second-factor-setup': at('/api/collections/users/confirm-second-factor-setup', everyone(400)),
  'DELETE /api/vedette/users/:id/second-factors': { behind: 404 },
  'POST /api/collections/:collection/passkey-options': at('/api/collections/users/passkey-options', { behind: 400 }),
  'POST /api/collections/:collection/auth-with-passkey': at('/api/collections/users/auth-with-passkey', { behind: 400 }),
  'POST /api/collections/:collection/impersonate/:id': at(`/api/collections/users/impersonate/${ALICE}`),
  'POST /api/collections/:collection/request-password-reset': at('/api/collections/users/request-password-reset', { behind: 400 }),
  'POST /api/collections/:collection/confirm-password-reset': at('/api/collections/users/confirm-password-reset', everyone(400)),
  'POST /api/collections/:collection/request-verification': at('/api/collections/users/request-verification', { behind: 400 }),
  'POST /api/collections/:collection/confirm-verification': at('/api/collections/users/confirm-verification', everyone(400)),
  'POST /api/collections/:collection/request-email-change': at('/api/collections/users/request-email-change', {
    statuses: [401, 400, 400, 400, 400, 403],
  }),
  'POST /api/collections/:collection/confirm-email-change': at('/api/collections/users/confirm-email-change', everyone(400)),
  'GET /api/oauth2-redirect': { behind: 307 },
  'POST /api/oauth2-redirect': { behind: 303 },
  'GET /api/files/:collection/:record/:file': { behind: 404 },
  'PATCH /api/settings': { body: {} },
  'POST /api/settings/test/email': { behind: 400 },
  'POST /api/settings/test/s3': { behind: 400 },
  'POST /api/settings/apple/generate-client-secret': { behind: 400 },
  'GET /api/vedette/logs/export': { statuses: [401, 403, 403, 403, 200, 200] },
  'GET /api/logs/:id': { behind: 404 },
  'DELETE /api/logs': { behind: 204 },
  'POST /api/backups': { behind: 400, body: { name: 'NO NAME' } },
  'POST /api/backups/upload': { behind: 400 },
  'GET /api/backups/:name': at('/api/backups/none.zip', everyone(403)),
  'DELETE /api/backups/:name': { behind: 400 },
  'POST /api/backups/:name/restore': { behind: 400 },
  'POST /api/vedette/import/upload': { behind: 400 },
  'POST /api/vedette/import': { statuses: [401, 403, 403, 403, 400, 400] },
  'DELETE /api/vedette/import': { behind: 204 },
  'POST /api/vedette/backups': { statuses: [401, 403, 403, 403, 400, 400] },
  'POST /api/vedette/backups/:name/verify': { behind: 400 },
  'POST /api/vedette/backups/:name/download': { statuses: [401, 403, 403, 403, 400, 400] },
  'POST /api/vedette/backups/:name/restore': { statuses: [401, 403, 403, 403, 400, 400] },
  'POST /api/crons/:id': { behind: 404 },
  'POST /api/vedette/hubs/:id/drain': { behind: 404 },
  'DELETE /api/vedette/hubs/:id/drain': { behind: 404 },
  'POST /api/admins/auth-with-password': { behind: 400 },
  'POST /api/admins/request-password-reset': { behind: 400 },
  'POST /api/admins/confirm-password-reset': everyone(400),
  'POST /api/admins': { statuses: [401, 401, 401, 401, 401, 400], body: {} },
  'GET /api/admins/:id': at('/api/admins/boss00000000001'),
  'PATCH /api/admins/:id': at('/api/admins/boss00000000001', { body: {} }),
  'DELETE /api/admins/:id': at(`/api/admins/${ALICE}`, { behind: 404 }),
  'ALL /api/settings/*': at('/api/settings/none', { behind: 404 }),
  'ALL /api/logs/*': at('/api/logs/none/none', { behind: 404 }),
  'ALL /api/crons/*': at('/api/crons/none/none', { behind: 404 }),
  'ALL /api/sql/*': at('/api/sql/none', { behind: 404 }),
  'ALL /api/collections/meta/*': at('/api/collections/meta/none', { behind: 404 }),
  'ALL /api/collections': { method: 'OPTIONS', behind: 404 },
  'ALL /api/collections/:collection': at('/api/collections/systems', { method: 'OPTIONS', behind: 404 }),
}

/** Request to a route: method, path with example values, and JSON body. */
export type AccessRequest = { readonly method: string; readonly path: string; readonly body?: Json | undefined }

export function accessRequest(route: RouteDeclaration): AccessRequest {
  const { method, path, body } = rows[`${route.method} ${route.path}`] ?? {}
  return { method: method ?? (route.method === 'ALL' ? 'GET' : route.method), path: path ?? route.path, body }
}
