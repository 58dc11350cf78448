import { randomUUID } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { badRequest } from '../records/model/record-error.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { textOf } from '../records/model/stored-record.ts'

/** A person's token with which agents enrol as systems of theirs, as the person is shown it. */
export type UniversalToken = { readonly token: string; readonly active: boolean; readonly permanent: boolean }

export type UniversalTokens = {
  /** The active one; with none, or when `asked` is another one, that other (or a new one) as not active. */
  readonly read: (user: string, asked: string) => Promise<UniversalToken>
  /** Makes `token` (or a new one) the only one of the person, for ever or for an hour. Throws 400 for one that is too long or another's. */
  readonly enable: (user: string, token: string, permanent: boolean) => Promise<UniversalToken>
  readonly disable: (user: string) => Promise<void>
  /** Whose token this is, while it is lent for an hour; the permanent ones are records. */
  readonly borrower: (token: string) => string | undefined
}

const LENT_FOR_MS = 3_600_000
/** Agents cannot show a longer one. */
const LONGEST_BYTES = 64

type Parts = { readonly database: Database; readonly records: RecordStore; readonly clock: Clock }

/** Permanent ones are records of `universal_tokens`; those for an hour are kept in memory and end with the process. */
export function universalTokensOf({ database, records, clock }: Parts): UniversalTokens {
  const lent = new Map<string, { readonly token: string; untilMs: number }>()

  function lentTo(user: string): string | undefined {
    const known = lent.get(user)
    if (known === undefined) return undefined
    // The clock was set back since: the hour begins again, rather than lasting for as long as the step.
    known.untilMs = Math.min(known.untilMs, clock.now() + LENT_FOR_MS)
    if (known.untilMs > clock.now()) return known.token
    lent.delete(user)
    return undefined
  }

  async function permanentOf(user: string): Promise<string | undefined> {
    const [row] = await records.loadWhere('universal_tokens', { user })
    return row === undefined ? undefined : textOf(row, 'token')
  }

  async function note(unit: UnitOfWork, user: string, action: string): Promise<void> {
    const by = await records.load('users', user, unit)
    if (by !== undefined) await noteInAudit(unit, clock.now(), { by, action, target: 'universal_tokens' })
  }

  const borrower = (token: string): string | undefined => [...lent.keys()].find((user) => lentTo(user) === token)

  async function refuse(user: string, token: string): Promise<void> {
    if (Buffer.byteLength(token) > LONGEST_BYTES) throw badRequest(`The token has more than ${LONGEST_BYTES} bytes.`)
    const [row] = await records.loadWhere('universal_tokens', { token })
    const owner = row === undefined ? borrower(token) : textOf(row, 'user')
    if (owner !== undefined && owner !== user) throw badRequest('Choose another token.')
  }

  return {
    borrower,

    async read(user, asked) {
      const permanent = await permanentOf(user)
      const active = permanent ?? lentTo(user)
      if (active !== undefined && (asked === '' || asked === active))
        return { token: active, active: true, permanent: permanent !== undefined }
      return { token: asked === '' ? randomUUID() : asked, active: false, permanent: false }
    },

    async enable(user, given, permanent) {
      const token = given === '' ? randomUUID() : given
      await refuse(user, token)
      await database.write(async (unit) => {
        for (const { id } of await records.loadWhere('universal_tokens', { user }, unit)) await records.remove(unit, 'universal_tokens', id)
        if (permanent) await records.insert(unit, 'universal_tokens', { user, token })
        await note(unit, user, permanent ? 'enable for ever' : 'enable for an hour')
      })
      lent.delete(user)
      if (!permanent) lent.set(user, { token, untilMs: clock.now() + LENT_FOR_MS })
      return { token, active: true, permanent }
    },

    async disable(user) {
      lent.delete(user)
      await database.write(async (unit) => {
        for (const { id } of await records.loadWhere('universal_tokens', { user }, unit)) await records.remove(unit, 'universal_tokens', id)
        await note(unit, user, 'disable')
      })
    },
  }
}
