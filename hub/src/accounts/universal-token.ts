import { randomUUID } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import { z } from 'zod'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { badRequest } from '../records/model/record-error.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { textOf } from '../records/model/stored-record.ts'

/** Schema of a user's universal token, with which any number of agents can register as systems of that user. */
export const universalTokenSchema = z.object({ token: z.string(), active: z.boolean(), permanent: z.boolean() })
export type UniversalToken = Readonly<z.infer<typeof universalTokenSchema>>

export type UniversalTokens = {
  /**
   * Resolves to the user's active universal token, by which agents enrol. If there is none, or `requested` is another text, it resolves to
   * `requested` (a random token if `''`) with `active: false`; `enable` can then store it.
   */
  readonly read: (user: string, requested: string) => Promise<UniversalToken>
  /**
   * Replaces the user's universal tokens by `token` (a random one if empty), permanently or for 1 h, and resolves to it. Throws 400 if it
   * has over 64 bytes or belongs to another user.
   */
  readonly enable: (user: string, token: string, permanent: boolean) => Promise<UniversalToken>
  readonly disable: (user: string) => Promise<void>
  /**
   * Returns the id of the user who created this temporary universal token, while it is valid. `undefined` for any other token; permanent
   * tokens are looked up in the database instead.
   */
  readonly temporaryTokenOwner: (token: string) => string | undefined
  readonly close: () => void
}

/**
 * Collection name of the event by which all hubs learn of a changed temporary universal token. The event record's `id` is the user's id;
 * `untilMs` is its expiry in epoch ms, 0 if the user has none now.
 */
export const TEMPORARY_TOKENS = 'temporary_tokens'

const TEMPORARY_MS = 3_600_000
/** Maximum length of a universal token, in bytes (64). Agents cannot send a longer one. */
const LONGEST_BYTES = 64

type Parts = {
  readonly database: Database
  readonly records: RecordStore
  readonly secrets: Pick<SecretBox, 'seal' | 'open'>
  readonly bus: EventBus
  readonly clock: Clock
}

const PLACE = 'temporary_tokens.token'
const eventSchema = z.object({ id: z.string(), token: z.string(), untilMs: z.number() })

/**
 * Creates the functions that read, enable and disable universal tokens, with which agents register. Permanent tokens are records of
 * `universal_tokens`. Temporary ones are cached in memory, because each connecting agent is checked against them.
 */
export async function universalTokensOf({ database, records, secrets, bus, clock }: Parts): Promise<UniversalTokens> {
  const temporary = new Map<string, { readonly token: string; untilMs: number }>()
  const close = bus.subscribe([TEMPORARY_TOKENS], ({ record }) => {
    const { success, data } = eventSchema.safeParse(record)
    if (success && data.untilMs > 0) temporary.set(data.id, { token: data.token, untilMs: data.untilMs })
    else temporary.delete(record.id)
  })
  const stored = await database.kysely.selectFrom('temporary_tokens').selectAll().where('until', '>', clock.now()).execute()
  for (const { user, token, until } of stored) temporary.set(user, { token: secrets.open(PLACE, token), untilMs: until })

  function temporaryTokenOf(user: string): string | undefined {
    const known = temporary.get(user)
    if (known === undefined) return undefined
    // If the clock was set back, the hour starts again. Otherwise the token would stay valid longer by that step.
    known.untilMs = Math.min(known.untilMs, clock.now() + TEMPORARY_MS)
    if (known.untilMs > clock.now()) return known.token
    temporary.delete(user)
    return undefined
  }

  /**
   * Deletes all universal tokens of a user (by id). Stores `temporaryToken` in their place, valid for 1 h, unless it is `undefined`. All
   * hubs learn of it by an event of the transaction.
   */
  async function replace(unit: UnitOfWork, user: string, temporaryToken: string | undefined): Promise<void> {
    for (const { id } of await records.loadWhere('universal_tokens', { user }, unit)) await records.remove(unit, 'universal_tokens', id)
    await unit.sql.deleteFrom('temporary_tokens').where('user', '=', user).execute()
    const until = temporaryToken === undefined ? 0 : clock.now() + TEMPORARY_MS
    if (temporaryToken !== undefined)
      await unit.sql
        .insertInto('temporary_tokens')
        .values({ user, token: secrets.seal(PLACE, temporaryToken), until })
        .execute()
    unit.emit({ action: 'update', collection: TEMPORARY_TOKENS, record: { id: user, token: temporaryToken ?? '', untilMs: until } })
  }

  async function permanentOf(user: string): Promise<string | undefined> {
    const [row] = await records.loadWhere('universal_tokens', { user })
    return row === undefined ? undefined : textOf(row, 'token')
  }

  async function note(unit: UnitOfWork, user: string, action: string): Promise<void> {
    const by = await records.load('users', user, unit)
    if (by !== undefined) await noteInAudit(unit, clock.now(), { by, action, target: 'universal_tokens' })
  }

  const temporaryTokenOwner = (token: string): string | undefined => [...temporary.keys()].find((user) => temporaryTokenOf(user) === token)

  async function refuse(user: string, token: string): Promise<void> {
    if (Buffer.byteLength(token) > LONGEST_BYTES) throw badRequest(`The token has more than ${LONGEST_BYTES} bytes.`)
    const [row] = await records.loadWhere('universal_tokens', { token })
    const owner = row === undefined ? temporaryTokenOwner(token) : textOf(row, 'user')
    if (owner !== undefined && owner !== user) throw badRequest('Choose another token.')
  }

  return {
    temporaryTokenOwner,

    async read(user, requested) {
      const permanent = await permanentOf(user)
      const active = permanent ?? temporaryTokenOf(user)
      if (active !== undefined && (requested === '' || requested === active))
        return { token: active, active: true, permanent: permanent !== undefined }
      return { token: requested === '' ? randomUUID() : requested, active: false, permanent: false }
    },

    async enable(user, given, permanent) {
      const token = given === '' ? randomUUID() : given
      await refuse(user, token)
      await database.write(async (unit) => {
        await replace(unit, user, permanent ? undefined : token)
        if (permanent) await records.insert(unit, 'universal_tokens', { user, token })
        await note(unit, user, permanent ? 'enable for ever' : 'enable for an hour')
      })
      return { token, active: true, permanent }
    },

    async disable(user) {
      await database.write(async (unit) => {
        await replace(unit, user, undefined)
        await note(unit, user, 'disable')
      })
    },

    close,
  }
}
