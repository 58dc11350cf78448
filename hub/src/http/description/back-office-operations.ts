import type { Operation } from './operation.ts'

const COLLECTION = '/api/collections/{collection}'

const office = (call: string, summary: string, more: Partial<Operation> = {}): Operation => ({
  call,
  tag: 'back-office',
  asker: 'admin',
  summary,
  ...more,
})

/** What tools for admins ask of a hub. */
export const backOfficeOperations: readonly Operation[] = [
  office('GET /api/settings', 'The settings'),
  office('PATCH /api/settings', 'Changes settings'),
  office('POST /api/settings/test/email', 'Sends a mail to try', { body: ['email', 'template'] }),
  office('POST /api/settings/test/s3', 'Tries the storage', { body: ['filesystem'] }),
  office('GET /api/vedette/audit', 'Who changed what and when: `page`, `perPage`, `actor`, `target`, `targetId`'),
  office('GET /api/vedette/filter', 'Whether a filter can be read; where not, why and at which character', {
    query: ['collection', 'filter', 'sort'],
  }),
  office('GET /api/logs', 'What was logged'),
  office('GET /api/logs/stats', 'How much was, by hour'),
  office('GET /api/logs/{id}', 'One entry'),
  office('DELETE /api/logs', 'Forgets what was logged', { answers: 'nothing' }),
  office(
    'GET /api/vedette/logs',
    'The newest entries, and where the next page begins (`before`) or how far back was looked in time (`searchedTo`)',
    {
      query: ['filter', 'from', 'to', 'before', 'after', 'limit'],
    },
  ),
  office('GET /api/vedette/logs/histogram', 'How many entries there were when, by level', { query: ['filter', 'from', 'to'] }),
  office('GET /api/vedette/logs/size', 'How much the log holds, and since when'),
  office('GET /api/vedette/logs/export', 'The entries as a file: `csv` or `ndjson`', {
    query: ['format', 'filter', 'from', 'to', 'token'],
    answers: 'text',
  }),
  office('GET /api/backups', 'The backups'),
  office('POST /api/backups', 'Makes one', { body: ['name'] }),
  office('POST /api/backups/upload', 'Takes one: the field `file` of a form'),
  office('GET /api/backups/{name}', 'One of them, for who has a token for files of an admin', { asker: 'anybody', query: ['token'] }),
  office('POST /api/backups/{name}/restore', 'Checks one and goes back to it; the hub starts anew', { answers: 'nothing' }),
  office('DELETE /api/backups/{name}', 'Deletes one', { answers: 'nothing' }),
  office('GET /api/vedette/backups', 'The backups, and what is being done with one now'),
  office('POST /api/vedette/backups', 'Makes one, with the secret key when there is a passphrase', {
    body: ['password', 'name', 'passphrase'],
  }),
  office('POST /api/vedette/backups/{name}/verify', 'Reads all of one', { body: ['passphrase'] }),
  office('POST /api/vedette/backups/{name}/download', 'A token to fetch one with', { body: ['password'] }),
  office('POST /api/vedette/backups/{name}/restore', 'Checks one and goes back to it; the hub starts anew', {
    body: ['password', 'passphrase'],
    answers: 'nothing',
  }),
  office('GET /api/files/{collection}/{record}/{file}', 'A file of a record', { asker: 'anybody' }),
  office('GET /api/vedette/hub-health', 'How the hub itself was, in steps of whole minutes', { query: ['from', 'to'] }),
  office('GET /api/crons', 'What runs regularly'),
  office('POST /api/crons/{id}', 'Runs it now', { answers: 'nothing' }),
  office('GET /api/vedette/jobs', 'The same with when each runs next, how long its last run took and what came of it'),
  office('GET /api/collections', 'The collections with their fields and rules'),
  office('GET /api/collections/{collection}', 'One of them'),
  office('POST /api/collections/meta/dry-run-view', 'What a view would show'),
  office('DELETE /api/collections/{collection}/truncate', 'Refused: the collections are fixed'),
  office('POST /api/vedette/providers/{name}/test', 'Whether a provider can be reached and knows this hub', { body: ['redirectURL'] }),
  office('POST /api/settings/apple/generate-client-secret', 'A secret for a provider'),
  office('GET /api/collections/meta/scaffolds', 'What a new collection starts from'),
  office('GET /api/collections/meta/oauth2-providers', 'The providers that are known'),
  office(`PATCH ${COLLECTION}`, 'Changes in which ways a collection signs somebody in', {
    body: ['passwordAuth', 'otp', 'mfa', 'authAlert', 'oauth2'],
  }),
  office('PATCH /api/collections', 'Refused: the collections of this hub are fixed'),
  ...['POST', 'PUT', 'DELETE'].flatMap((method) =>
    ['/api/collections', COLLECTION].map((path) => office(`${method} ${path}`, 'Refused: the collections of this hub are fixed')),
  ),
]
