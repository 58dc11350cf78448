import { createHash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '@vedette/protocol/wire/envelope'
import type { Database, UnitOfWork } from '../db/database.ts'
import type { RecordStore } from '../records/record-store.ts'
import { textOf, type StoredRecord } from '../records/stored-record.ts'
import { DEFAULT_AGENT_PORT } from './agent-address.ts'

/** What a token lets an agent do. */
export type Admission =
  /** It belongs to systems that exist; which of them, the fingerprint decides. */
  | { readonly kind: 'known'; readonly holders: readonly StoredRecord[] }
  /** Whoever shows it may register a new system, owned by `owner` (by the first admin to come when there is none). */
  | { readonly kind: 'enrolling'; readonly owner: string | undefined; readonly once: boolean }

export type Resolution =
  | { readonly ok: true; readonly system: string }
  | { readonly ok: false; readonly reason: string; readonly system?: string }

export type Enrolment = {
  /** `undefined` when the token opens nothing. */
  readonly admit: (token: string) => Promise<Admission | undefined>
  /** The system an agent is, registering it when it may. */
  readonly resolve: (caller: Caller, identity: Identity) => Promise<Resolution>
}

/** An agent that was let in by its token and proved nothing else yet. */
export type Caller = { readonly token: string; readonly admission: Admission; readonly remoteAddress: string }

type EnrolmentParts = {
  readonly db: Database
  readonly records: RecordStore
  /** The token with which the agent beside this hub may register itself, once; `undefined` when there is none. */
  readonly readLocalToken: () => string | undefined
}

/** Who may connect, and as which system. Tokens live in `fingerprints` (one a system) and in `universal_tokens` (one a user). */
export function enrolment({ db, records, readLocalToken }: EnrolmentParts): Enrolment {
  async function admit(token: string): Promise<Admission | undefined> {
    const holders = await records.loadWhere('fingerprints', { token })
    if (holders.length > 0) return { kind: 'known', holders }
    const [universal] = await records.loadWhere('universal_tokens', { token })
    if (universal !== undefined) return { kind: 'enrolling', owner: textOf(universal, 'user'), once: false }
    const localToken = readLocalToken()
    if (localToken !== undefined && equal(token, localToken) && !(await wasUsed(token))) {
      return { kind: 'enrolling', owner: await firstAdmin(), once: true }
    }
    return undefined
  }

  async function resolve(caller: Caller, identity: Identity): Promise<Resolution> {
    const { admission } = caller
    if (admission.kind === 'enrolling') {
      const system = await db.write((unit) => register(unit, caller, identity, admission))
      return system === undefined ? { ok: false, reason: 'the token was used already' } : { ok: true, system }
    }
    const own = admission.holders.find((holder) => holder['fingerprint'] === identity.fingerprint)
    if (own !== undefined) return { ok: true, system: textOf(own, 'system') }
    const [only] = admission.holders
    if (only === undefined || admission.holders.length > 1) return { ok: false, reason: 'fingerprint mismatch' }
    const system = textOf(only, 'system')
    if (only['fingerprint'] !== '') return { ok: false, reason: 'fingerprint mismatch', system }
    await db.write((unit) => records.update(unit, 'fingerprints', only.id, { fingerprint: identity.fingerprint }))
    return { ok: true, system }
  }

  async function register(
    unit: UnitOfWork,
    { token, remoteAddress }: Caller,
    identity: Identity,
    admission: Extract<Admission, { kind: 'enrolling' }>,
  ): Promise<string | undefined> {
    if (admission.once && !(await markUsed(unit, token))) return undefined
    const system = await records.insert(unit, 'systems', {
      name: identity.systemName ?? identity.hostname ?? remoteAddress,
      host: remoteAddress,
      port: identity.port ?? String(DEFAULT_AGENT_PORT),
      status: 'pending',
      info: {},
      users: admission.owner === undefined ? [] : [admission.owner],
    })
    await records.insert(unit, 'fingerprints', { system: system.id, token, fingerprint: identity.fingerprint })
    return system.id
  }

  async function firstAdmin(): Promise<string | undefined> {
    return (await records.loadWhere('users', { role: 'admin' }))[0]?.id
  }

  async function wasUsed(token: string): Promise<boolean> {
    const row = await db.kysely.selectFrom('hub_state').select('name').where('name', '=', usedMark(token)).executeTakeFirst()
    return row !== undefined
  }

  return { admit, resolve }
}

/** A token of the local agent registers one system, ever: a system that was deleted does not come back by itself. */
async function markUsed(unit: UnitOfWork, token: string): Promise<boolean> {
  const result = await unit.sql
    .insertInto('hub_state')
    .values({ name: usedMark(token), value: 'used' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

const usedMark = (token: string) => `enrolment.${digest(token).toString('hex')}`
const digest = (text: string) => createHash('sha256').update(text).digest()
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
