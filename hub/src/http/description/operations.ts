import { accountOperations } from './account-operations.ts'
import { alertOperations } from './alert-operations.ts'
import { backOfficeOperations } from './back-office-operations.ts'
import type { Operation } from './operation.ts'

const COLLECTION = '/api/collections/{collection}'

const signIn: readonly Operation[] = [
  { call: `GET ${COLLECTION}/auth-methods`, tag: 'sign-in', asker: 'anybody', summary: 'What one can sign in with' },
  {
    call: `POST ${COLLECTION}/auth-with-password`,
    tag: 'sign-in',
    asker: 'anybody',
    summary: 'Signs in: answers `token` and `record`',
    body: ['identity', 'password'],
  },
  { call: `POST ${COLLECTION}/auth-refresh`, tag: 'sign-in', asker: 'signed in', summary: 'A new token for who has a good one' },
  {
    call: `POST ${COLLECTION}/impersonate/{id}`,
    tag: 'sign-in',
    asker: 'admin',
    summary: 'A token of somebody else, that cannot be renewed',
    body: ['duration'],
  },
  {
    call: `POST ${COLLECTION}/auth-with-oauth2`,
    tag: 'sign-in',
    asker: 'anybody',
    summary: 'Signs in at a provider',
    body: ['provider', 'code', 'codeVerifier', 'redirectURL'],
  },
  { call: `POST ${COLLECTION}/request-otp`, tag: 'sign-in', asker: 'anybody', summary: 'Mails a one-time code', body: ['email'] },
  { call: `POST ${COLLECTION}/auth-with-otp`, tag: 'sign-in', asker: 'anybody', summary: 'Signs in with one', body: ['otpId', 'password'] },
  ...mailed('password-reset', 'a new password', ['email'], ['token', 'password', 'passwordConfirm']),
  ...mailed('verification', 'an address that is verified', ['email'], ['token']),
  ...mailed('email-change', 'a new address', ['newEmail'], ['token', 'password']),
  {
    call: `DELETE ${COLLECTION}/records/{id}/external-auths/{provider}`,
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Takes a provider from an account',
    answers: 'nothing',
  },
  {
    call: `GET ${COLLECTION}/records/{id}/external-auths`,
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Accounts at providers, as older clients ask for them',
  },
  { call: 'GET /api/oauth2-redirect', tag: 'sign-in', asker: 'anybody', summary: 'Where providers send people back to', answers: 'page' },
  { call: 'POST /api/oauth2-redirect', tag: 'sign-in', asker: 'anybody', summary: 'The same, posted', answers: 'page' },
  { call: 'GET /api/vedette/sign-in', tag: 'sign-in', asker: 'anybody', summary: 'Whether this hub sends mail' },
  { call: 'POST /api/files/token', tag: 'sign-in', asker: 'signed in', summary: 'A short-lived token for fetching files' },
]

/** The two halves of what needs a mailed link. */
function mailed(action: string, what: string, asked: readonly string[], confirmed: readonly string[]): readonly Operation[] {
  return [
    {
      call: `POST ${COLLECTION}/request-${action}`,
      tag: 'sign-in',
      asker: 'anybody',
      summary: `Asks for ${what}`,
      body: asked,
      answers: 'nothing',
    },
    {
      call: `POST ${COLLECTION}/confirm-${action}`,
      tag: 'sign-in',
      asker: 'anybody',
      summary: `Confirms ${what} with the mailed token`,
      body: confirmed,
      answers: 'nothing',
    },
  ]
}

const oldAdmins: readonly Operation[] = [
  {
    call: 'POST /api/admins/auth-with-password',
    tag: 'sign-in',
    asker: 'anybody',
    summary: 'Signs an admin in, for clients of the oldest generation: answers `token` and `admin`',
    body: ['identity', 'password'],
  },
  { call: 'POST /api/admins/auth-refresh', tag: 'sign-in', asker: 'admin', summary: 'A new token for them' },
  {
    call: 'POST /api/admins/confirm-password-reset',
    tag: 'sign-in',
    asker: 'anybody',
    summary: 'Sets a new password with a mailed token',
    body: ['token', 'password', 'passwordConfirm'],
    answers: 'nothing',
  },
  {
    call: 'POST /api/admins/request-password-reset',
    tag: 'sign-in',
    asker: 'anybody',
    summary: 'As for users',
    body: ['email'],
    answers: 'nothing',
  },
  { call: 'GET /api/admins', tag: 'sign-in', asker: 'admin', summary: 'Lists admins' },
  { call: 'GET /api/admins/{id}', tag: 'sign-in', asker: 'admin', summary: 'One admin' },
  { call: 'POST /api/admins', tag: 'sign-in', asker: 'admin', summary: 'Creates an admin', body: ['email', 'password', 'passwordConfirm'] },
  {
    call: 'PATCH /api/admins/{id}',
    tag: 'sign-in',
    asker: 'admin',
    summary: 'Changes an admin',
    body: ['email', 'password', 'passwordConfirm'],
  },
  { call: 'DELETE /api/admins/{id}', tag: 'sign-in', asker: 'admin', summary: 'Deletes an admin', answers: 'nothing' },
]

const hub: readonly Operation[] = [
  {
    call: 'GET /api/health',
    tag: 'hub',
    asker: 'anybody',
    summary: 'Whether the hub and its database answer; 503 while the database is away',
  },
  { call: 'GET /api/vedette/openapi.json', tag: 'hub', asker: 'anybody', summary: 'This description' },
  {
    call: 'GET /api/beszel/first-run',
    tag: 'hub',
    asker: 'anybody',
    summary: 'Whether there is nobody yet, and whether the set-up code is needed',
  },
  {
    call: 'POST /api/beszel/create-user',
    tag: 'hub',
    asker: 'anybody',
    summary: 'Creates the first admin, while there is nobody',
    body: ['email', 'password', 'setupCode'],
  },
  ...['GET', 'POST'].flatMap((method): readonly Operation[] =>
    ['getkey', 'info'].map((name) => ({
      call: `${method} /api/beszel/${name}`,
      tag: 'hub',
      asker: 'signed in',
      summary: 'The key by which agents know the hub, and its version',
    })),
  ),
  { call: 'POST /api/batch', tag: 'hub', asker: 'anybody', summary: 'Several writes of records, all or none', body: ['requests'] },
  {
    call: 'GET /api/beszel/universal-token',
    tag: 'agents',
    asker: 'signed in',
    summary: 'The token by which any agent may register, and whether it is on',
    query: ['enable', 'permanent', 'token'],
  },
  {
    call: 'POST /api/beszel/test-notification',
    tag: 'hub',
    asker: 'signed in',
    summary: 'Tries an address for notifications',
    body: ['url'],
  },
  { call: 'GET /api/beszel/heartbeat-status', tag: 'hub', asker: 'admin', summary: 'Whom the hub tells that it is alive' },
  { call: 'POST /api/beszel/test-heartbeat', tag: 'hub', asker: 'admin', summary: 'Tells them now' },
  { call: 'GET /api/beszel/config-yaml', tag: 'hub', asker: 'admin', summary: 'The systems as a config.yml' },
]

const realtime: readonly Operation[] = [
  {
    call: 'GET /api/realtime',
    tag: 'realtime',
    asker: 'anybody',
    summary: 'A stream of server-sent events; the first tells its client id',
    answers: 'events',
  },
  {
    call: 'POST /api/realtime',
    tag: 'realtime',
    asker: 'anybody',
    summary: 'Replaces what a stream hears: `COLLECTION/*`, `COLLECTION/ID`, with `?options={"query":{…}}`',
    body: ['clientId', 'subscriptions'],
    answers: 'nothing',
  },
]

const agents: readonly Operation[] = [
  {
    call: 'GET /api/beszel/agent-connect',
    tag: 'agents',
    asker: 'agent',
    summary: 'Upgrades an agent’s connection to a WebSocket',
    answers: 'text',
  },
  {
    call: 'GET /api/beszel/containers/logs',
    tag: 'agents',
    asker: 'signed in',
    summary: 'The last lines of a container',
    query: ['system', 'container'],
  },
  {
    call: 'GET /api/beszel/containers/info',
    tag: 'agents',
    asker: 'signed in',
    summary: 'Its configuration',
    query: ['system', 'container'],
  },
  {
    call: 'GET /api/beszel/systemd/info',
    tag: 'agents',
    asker: 'signed in',
    summary: 'What is known of a service',
    query: ['system', 'service'],
  },
  { call: 'POST /api/beszel/smart/refresh', tag: 'agents', asker: 'signed in', summary: 'Has the drives read now', query: ['system'] },
  {
    call: 'GET /api/vedette/systems/{system}/diagnosis',
    tag: 'agents',
    asker: 'signed in',
    summary: 'What each of an agent’s collectors found and lacks',
  },
  {
    call: 'POST /api/vedette/systems/{system}/accept-host-key',
    tag: 'agents',
    asker: 'admin',
    summary: 'Takes the host key that was refused last',
    answers: 'nothing',
  },
  {
    call: 'POST /api/vedette/systems/{system}/forget-proof',
    tag: 'agents',
    asker: 'admin',
    summary: 'Lets the agent accept a proof without a nonce again, before an older hub takes its place',
    answers: 'nothing',
  },
  {
    call: 'GET /api/history/{system}',
    tag: 'history',
    asker: 'signed in',
    summary: 'Any window of a system’s history, as columns; `from` and `to` in epoch milliseconds',
    query: ['from', 'to', 'points', 'kind'],
  },
  {
    call: 'GET /api/systems/{system}/events',
    tag: 'history',
    asker: 'signed in',
    summary:
      'What happened to a system between `from` and `to` in epoch milliseconds, oldest first: up, down, paused, resumed, restarted, hub-started, hub-stopped; before them what it was at `from`',
    query: ['from', 'to'],
  },
  {
    call: 'GET /api/vedette/storing',
    tag: 'history',
    asker: 'signed in',
    summary: 'Whether samples are being stored, and if not why and since when; changes are the realtime topic `storing`',
  },
  {
    call: 'GET /api/vedette/settings/retention',
    tag: 'history',
    asker: 'admin',
    summary: 'How long the history is kept, what it takes a day, and how far back each tier will reach',
  },
  {
    call: 'PATCH /api/vedette/settings/retention',
    tag: 'history',
    asker: 'admin',
    summary: 'Changes it: `days` by tier (`1m`, `10m`, `2h`) and `mostBytes`, a number or null',
    body: ['days', 'mostBytes'],
  },
]

/** Everything under `/api` but the records of each collection, which follow from the collections. */
export const operations: readonly Operation[] = [
  ...hub,
  ...signIn,
  ...accountOperations,
  ...oldAdmins,
  ...realtime,
  ...agents,
  ...alertOperations,
  ...backOfficeOperations,
]
