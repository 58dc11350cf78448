import { z } from 'zod'
import { defineRoute, notAllowed } from '../../http/routing/define-route.ts'
import { texts } from '../../http/routing/field-schemas.ts'
import { refusedWith } from '../../records/model/field-errors.ts'
import { blank } from '../../records/model/field-check.ts'
import { keyScopes } from '../../records/model/key-scope.ts'
import { notFound, badRequest } from '../../records/model/record-error.ts'
import { normalDate, recordDate } from '../../records/model/stored-record.ts'
import { normalTag } from '../../records/model/tag.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../accounts.ts'
import type { ApiKey } from '../api-keys/api-keys.ts'

type KeyParts = { readonly accounts: Pick<Accounts, 'apiKeys'>; readonly engine: { readonly clock: Clock } }

const LONGEST_NAME = 100
const MOST_YEARS = 10
const YEAR_MS = 365.25 * 86_400_000

const shownKey = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(keyScopes),
  tags: z.array(z.string()),
  created: z.string(),
  expires: z.string(),
  used: z.string(),
})

/** Converts an API key to its form in API responses. Times are dates such as `2026-11-21 06:30:00.000Z`; `''` for never. */
function presentKey({ id, name, scope, tags = [], createdMs, expiresMs, usedMs }: ApiKey): z.infer<typeof shownKey> {
  const dateOf = (atMs: number | undefined): string => (atMs === undefined ? '' : recordDate(atMs))
  return { id, name, scope, tags: [...tags], created: recordDate(createdMs), expires: dateOf(expiresMs), used: dateOf(usedMs) }
}

const name = z
  .custom<string>((value) => typeof value === 'string', 'Must be a text.')
  .transform((text) => text.trim())
  .superRefine((text, context) => {
    if (text === '') context.addIssue({ code: 'custom', ...refusedWith(blank) })
  })
  .refine((text) => text.length <= LONGEST_NAME, `Must be at most ${LONGEST_NAME} characters.`)

const newKey = z.object({
  name,
  scope: z.enum(keyScopes, `Must be one of ${keyScopes.join(', ')}.`),
  tags: z
    .array(z.string('Must be a list of tags.'), 'Must be a list of tags.')
    .default([])
    .transform((tags) => [...new Set(tags.map(normalTag))].toSorted()),
  expires: z.string('Must be a date.').default(''),
})

const listOwnKeys = defineRoute('GET /api/account/api-keys', {
  tag: 'sign-in',
  summary: "The caller's own API keys, newest first; `expires` and `used` are empty for never",
  access: 'person',
  response: z.object({ items: z.array(shownKey) }),
  headers: { 'cache-control': 'no-store' },
  handle: async ({ actor }, { accounts }: KeyParts) => ({ items: (await accounts.apiKeys.list(actor.id)).map(presentKey) }),
})

const createOwnKey = defineRoute('POST /api/account/api-keys', {
  tag: 'sign-in',
  summary:
    'Creates an API key of the caller; `scope` is read, write or ingest; `tags` limits it to systems; only this response holds the `key`',
  access: { door: 'person', decidedBy: 'the session, which must be renewable' },
  body: texts(newKey),
  invalid: 'Failed to create the API key.',
  response: shownKey.extend({ key: z.string() }),
  headers: { 'cache-control': 'no-store' },
  async handle({ actor, proof, body }, { accounts, engine: { clock } }: KeyParts) {
    const { expires, ...wanted } = await body()
    // A session of fixed length, such as an admin's on behalf of a user, must not create a credential that outlives it.
    if (!proof.refreshable) throw notAllowed()
    const created = await accounts.apiKeys.create(actor, { ...wanted, expiresMs: expiryOf(expires, clock.now()) })
    return { ...presentKey(created), key: created.key }
  },
})

/**
 * Parses the expiry date of a new API key to epoch ms; `undefined` for `''` (never expires). Throws 400 with a field error unless the date
 * is in the next 10 years.
 */
function expiryOf(text: string, nowMs: number): number | undefined {
  if (text === '') return undefined
  const expiresMs = Date.parse(normalDate(text).replace(' ', 'T'))
  if (expiresMs > nowMs && expiresMs <= nowMs + MOST_YEARS * YEAR_MS) return expiresMs
  const message = `Must be a date in the next ${MOST_YEARS} years.`
  throw badRequest('Failed to create the API key.', { expires: { code: 'validation_invalid_value', message } })
}

const revokeOwnKey = defineRoute('DELETE /api/account/api-keys/:id', {
  tag: 'sign-in',
  summary: "Revokes one of the caller's API keys at once",
  access: 'person',
  response: 'nothing',
  async handle({ actor, params }, { accounts }: KeyParts) {
    if (!(await accounts.apiKeys.revoke(actor, params.id, actor.id))) throw notFound()
  },
})

const listAllKeys = defineRoute('GET /api/vedette/api-keys', {
  tag: 'back-office',
  summary: 'The API keys of all users with the owner (`user`, `email`), newest first, at most 1,000',
  access: 'admin',
  response: z.object({ items: z.array(shownKey.extend({ user: z.string(), email: z.string() })) }),
  headers: { 'cache-control': 'no-store' },
  handle: async (_, { accounts }: KeyParts) => ({
    items: (await accounts.apiKeys.listAll()).map(({ user, email, ...key }) => ({ ...presentKey({ ...key, user }), user, email })),
  }),
})

const revokeAnyKey = defineRoute('DELETE /api/vedette/api-keys/:id', {
  tag: 'back-office',
  summary: 'Revokes an API key of any user at once',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params }, { accounts }: KeyParts) {
    if (!(await accounts.apiKeys.revoke(actor, params.id))) throw notFound()
  },
})

/** List of the routes by which users manage their API keys, and admins the keys of all users. */
export const apiKeyRoutes = [listOwnKeys, createOwnKey, revokeOwnKey, listAllKeys, revokeAnyKey]
