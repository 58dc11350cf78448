import { ownValue } from '@vedette/protocol/own-value'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { type StoredRecord, asText, isAdmin } from '../../records/model/stored-record.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { factsOf, signedInCaller, visitorOf } from '../../http/requests/request-context.ts'
import { defineRoute, oldestGenerationOnly } from '../../http/routing/define-route.ts'
import { fields, pageOf, sentFields, texts } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isJsonObject } from '../../platform/json.ts'
import { badRequest, notFound, RecordError } from '../../records/model/record-error.ts'
import { listRecords } from '../../records/reading/query.ts'
import { createRecord, deleteRecord, updateRecord } from '../../records/writing/write.ts'
import type { Accounts } from '../accounts.ts'
import { credentials } from './auth-bodies.ts'
import { createFirstAdmin, firstAdminSchema, type FirstRunParts } from './first-run.ts'

/** Schema of an admin in responses of PocketBase's former admin API. `avatar` is the number of a built-in picture, and dates are text. */
const adminSchema = z.object({ id: z.string(), created: z.string(), updated: z.string(), email: z.string(), avatar: z.number() })
const adminSession = z.object({ admin: adminSchema, token: z.string() })

type AdminParts = { readonly engine: Engine }
type SessionParts = AdminParts & { readonly accounts: Pick<Accounts, 'auth'> }

const adminsOf = (engine: Engine) => authCollection(engine, '_superusers')
const session = ({ accounts }: SessionParts, admin: StoredRecord) => ({ admin: oldAdmin(admin), token: accounts.auth.adminToken(admin) })

const signIn = defineRoute('POST /api/admins/auth-with-password', {
  tag: 'sign-in',
  summary: 'Signs an admin in, for clients of the oldest generation: answers `token` and `admin`',
  access: 'anyone',
  body: credentials(sentFields({ identity: 'string', password: 'string' })),
  response: adminSession,
  async handle({ c, body }, parts: SessionParts) {
    const sent = await body()
    const { record } = await parts.accounts.auth.signIn(adminsOf(parts.engine), sent, visitorOf(c, sent))
    return session(parts, record)
  },
})

const refresh = defineRoute('POST /api/admins/auth-refresh', {
  tag: 'sign-in',
  summary: 'A new token for such an admin',
  access: 'oldest-generation admin',
  response: adminSession,
  handle: ({ actor }, parts: SessionParts) => session(parts, actor),
})

const list = defineRoute('GET /api/admins', {
  tag: 'sign-in',
  summary: 'Lists admins',
  access: 'oldest-generation admin',
  response: pageOf(adminSchema),
  async handle({ c, query }, { engine }: AdminParts) {
    const page = await listRecords(engine, adminsOf(engine), factsOf(c), query)
    return { ...page, items: page.items.filter(isJsonObject).map(oldAdmin) }
  },
})

const read = defineRoute('GET /api/admins/:id', {
  tag: 'sign-in',
  summary: 'Reads an admin',
  access: 'oldest-generation admin',
  response: adminSchema,
  async handle({ params }, { engine }: AdminParts) {
    const record = await engine.store.load('users', params.id)
    if (record === undefined || !isAdmin(record)) throw notFound()
    return oldAdmin(record)
  },
})

const create = defineRoute('POST /api/admins', {
  tag: 'sign-in',
  summary: 'Creates an admin; the first one without a session',
  access: {
    door: 'anyone',
    decidedBy: 'a session of such an admin; without an account the set-up code or a direct connection from this machine',
  },
  body: texts(sentFields({ email: 'string', password: 'string', passwordConfirm: 'string', setupCode: 'string' })),
  response: adminSchema,
  async handle({ c, body }, parts: AdminParts & FirstRunParts) {
    const { engine, firstRun } = parts
    const admins = adminsOf(engine)
    const sent = await body()
    if (signedInCaller(c)?.proof.collection === admins) return oldAdmin(await createRecord(engine, admins, factsOf(c, sent)))
    if (!(await firstRun.isOpen())) throw oldestGenerationOnly()
    const wanted = firstAdminSchema.parse(sent)
    await createFirstAdmin(c, parts, wanted)
    const [first] = await engine.store.loadWhere('users', { email: wanted.email })
    if (first === undefined) throw notFound()
    return oldAdmin(first)
  },
})

const update = defineRoute('PATCH /api/admins/:id', {
  tag: 'sign-in',
  summary: 'Changes an admin',
  access: 'oldest-generation admin',
  body: fields(sentFields({ email: 'string', password: 'string', passwordConfirm: 'string' })),
  response: adminSchema,
  handle: async ({ c, params, body }, { engine }: AdminParts) =>
    oldAdmin(await updateRecord(engine, adminsOf(engine), factsOf(c, await body()), params.id)),
})

const remove = defineRoute('DELETE /api/admins/:id', {
  tag: 'sign-in',
  summary: 'Deletes an admin',
  access: 'oldest-generation admin',
  response: 'nothing',
  async handle({ c, params }, { engine }: AdminParts) {
    try {
      await deleteRecord(engine, adminsOf(engine), factsOf(c), params.id)
    } catch (error) {
      throw error instanceof RecordError && error.status === 400 ? badRequest('Failed to delete admin.') : error
    }
  },
})

/** List of the routes `/api/admins` of PocketBase's former admin API. There, admins are separate accounts with another type of token. */
export const oldAdminRoutes = [signIn, refresh, list, read, create, update, remove]

function oldAdmin(record: StoredRecord | JsonObject): z.infer<typeof adminSchema> {
  const [id = '', created = '', updated = '', email = ''] = ['id', 'created', 'updated', 'email'].map((name) =>
    asText(ownValue(record, name) ?? ''),
  )
  return { id, created, updated, email, avatar: 0 }
}
