import { createHash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '@vedette/protocol/wire/envelope'
import { FIRST_USER } from '../../accounts/first-run.ts'
import type { IngestOwner } from '../../accounts/api-keys/ingest-owners.ts'
import { isKeyText, keyDigest, storedToken } from '../../accounts/api-keys/key-text.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { reportTags } from '../../records/model/reported-tags.ts'
import { tagFields } from '../../records/model/tag.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf } from '../../records/model/stored-record.ts'
import { DEFAULT_AGENT_PORT } from './agent-address.ts'
import { tokenLookup, type TokenHolder } from './token-lookup.ts'

/**
 * Maximum length of an agent's fingerprint: 1024 characters. An agent with a longer one is refused. Usual fingerprints are 48 hex digits;
 * an operator may set any other text.
 */
const LONGEST_FINGERPRINT = 1024
const LONGEST_NAME = 200

/**
 * Rights of an agent's valid token. Kind `known`: the agent may connect as an existing system. Kind `enrolling`: it may register a new
 * system for the user `owner`. The agent's fingerprint is checked afterwards.
 */
export type Admission =
  // The token belongs to existing systems; the fingerprint selects the system. `only` is the token's system when there is exactly one.
  | { readonly kind: 'known'; readonly only: TokenHolder | undefined }
  // The token allows the agent to register a new system for user `owner` (`undefined` = the first admin, once there is one). With `once`,
  // the token registers one system only.
  | {
      readonly kind: 'enrolling'
      readonly owner: string | undefined
      readonly once: boolean
      /**
       * Tags of the API key with which the agent enrols. `source`: `token` for an admin's key, whose tags give users access; `person` for
       * any other user's, whose tags give none. Absent for other tokens.
       */
      readonly tags?: { readonly source: 'token' | 'person'; readonly texts: readonly string[] }
    }

export type Resolution =
  | { readonly ok: true; readonly system: string }
  | { readonly ok: false; readonly reason: string; readonly system?: string }

export type Enrolment = {
  /**
   * Checks an agent's token: one stored in the database, a temporary one, or that of the agent on the hub's own machine. Resolves to the
   * token's rights, or to `undefined` when the token is not valid.
   */
  readonly admit: (token: string) => Promise<Admission | undefined>
  /**
   * Resolves to the id of the system of an agent, found by its token and fingerprint, or to the reason why the agent is refused. Registers
   * a new system if the token allows that.
   */
  readonly resolve: (caller: EnrollingAgent, identity: Identity) => Promise<Resolution>
}

/**
 * Agent that has sent a valid token, with the rights of the token (`admission`) and the remote address of its connection. Its fingerprint
 * has not been checked yet.
 */
export type EnrollingAgent = { readonly token: string; readonly admission: Admission; readonly remoteAddress: string }

type EnrolmentParts = {
  readonly db: Database
  readonly records: RecordStore
  readonly secrets: Pick<SecretBox, 'digest'>
  readonly clock: Clock
  /**
   * Returns the id of the user who created this temporary enrolment token (valid for 1 h), with which agents register systems. `undefined`
   * if the text is no such token.
   */
  readonly temporaryTokenOwner: (token: string) => string | undefined
  /**
   * Function that reads the token with which the agent on the hub's own machine may register itself once. `undefined` when there is none.
   */
  readonly readLocalToken: () => string | undefined
}

/**
 * Creates the service that admits agents: `admit` checks an agent's token, `resolve` finds or registers its system. Tokens are stored in
 * `fingerprints` (one a system), `universal_tokens` (one a user) and `api_keys`.
 */
export function enrolment({ db, records, secrets, clock, temporaryTokenOwner, readLocalToken }: EnrolmentParts): Enrolment {
  const lookUp = tokenLookup(db, secrets, clock)

  async function admit(token: string): Promise<Admission | undefined> {
    const { owner = temporaryTokenOwner(token), key, isHeld, only } = await lookUp(token)
    if (owner !== undefined) return { kind: 'enrolling', owner, once: false, ...(key !== undefined && { tags: tagsOfKey(key) }) }
    if (isHeld) return { kind: 'known', only }
    const localToken = readLocalToken()
    if (localToken !== undefined && equal(token, localToken) && !(await wasUsed(token))) {
      return { kind: 'enrolling', owner: undefined, once: true }
    }
    return undefined
  }

  async function resolve(caller: EnrollingAgent, { fingerprint, ...identity }: Identity): Promise<Resolution> {
    const { admission, token } = caller
    const only = admission.kind === 'known' ? admission.only : undefined
    const reason = fingerprintProblem(fingerprint)
    if (reason !== undefined) {
      return only === undefined ? { ok: false, reason } : { ok: false, reason, system: only.system }
    }
    const system = only?.fingerprint === fingerprint ? only.system : await holderOf(token, fingerprint)
    if (system !== undefined) return { ok: true, system }
    if (admission.kind === 'enrolling') {
      const registered = await db.write((unit) => register(unit, caller, { fingerprint, ...identity }, admission))
      return registered === undefined ? { ok: false, reason: 'the token was used already' } : { ok: true, system: registered }
    }
    if (only === undefined) return { ok: false, reason: 'fingerprint mismatch' }
    if (await claim(only.id, fingerprint)) return { ok: true, system: only.system }
    return { ok: false, reason: 'fingerprint mismatch', system: only.system }
  }

  /**
   * Resolves to the id of the system for which this enrolment token and agent fingerprint are stored. `undefined` when there is none.
   * `unit`: transaction in which it reads; absent: outside a transaction.
   */
  async function holderOf(token: string, fingerprint: string, unit?: UnitOfWork): Promise<string | undefined> {
    const [holder] = await records.loadWhere('fingerprints', { token: storedToken(token), fingerprint }, unit, 1)
    return holder && textOf(holder, 'system')
  }

  /**
   * Stores that a system's token belongs to the agent with this fingerprint, the first that used it. `id` is that of the `fingerprints`
   * record. Resolves to false if another fingerprint has the token already or the record is gone.
   */
  function claim(id: string, fingerprint: string): Promise<boolean> {
    return db.write(async (unit) => {
      await unit.alone('enrolment')
      const row = await records.load('fingerprints', id, unit)
      if (row === undefined) return false
      if (row['fingerprint'] === '') await records.update(unit, 'fingerprints', id, { fingerprint })
      return row['fingerprint'] === '' || row['fingerprint'] === fingerprint
    })
  }

  async function register(
    unit: UnitOfWork,
    { token, remoteAddress }: EnrollingAgent,
    identity: Identity,
    admission: Extract<Admission, { kind: 'enrolling' }>,
  ): Promise<string | undefined> {
    await unit.alone('enrolment')
    // One machine may have connected twice before its first registration was stored.
    const enrolled = await holderOf(token, identity.fingerprint, unit)
    if (enrolled !== undefined) return enrolled
    if (admission.once && !(await markUsed(unit, token))) return undefined
    const owner = admission.owner ?? (await firstAdmin(unit))
    const system = await records.insert(unit, 'systems', {
      name: await freeName(unit, identity.systemName || identity.hostname || remoteAddress),
      host: remoteAddress,
      port: identity.port || String(DEFAULT_AGENT_PORT),
      status: 'pending',
      info: {},
      users: owner === undefined ? [] : [owner],
      ...(admission.tags && tagFields(reportTags([], admission.tags.source, admission.tags.texts))),
    })
    await records.insert(unit, 'fingerprints', { system: system.id, token: storedToken(token), fingerprint: identity.fingerprint })
    if (isKeyText(token)) await noteKeyUse(unit, token)
    return system.id
  }

  async function noteKeyUse({ sql }: UnitOfWork, key: string): Promise<void> {
    await sql.updateTable('api_keys').set({ used: clock.now() }).where('digest', '=', keyDigest(key)).execute()
  }

  /**
   * Resolves to a name for a new system that no other system has. It is `wanted`, cut to 200 UTF-16 units, if necessary with a number, such
   * as "web (2)".
   */
  async function freeName(unit: UnitOfWork, wanted: string): Promise<string> {
    const name = wanted.replaceAll('\0', '').toWellFormed().slice(0, LONGEST_NAME)
    for (let count = 2, free = name; ; free = `${name} (${count++})`) {
      if ((await records.loadWhere('systems', { name: free }, unit)).length === 0) return free
    }
  }

  /**
   * Resolves to the id of the first admin; `undefined` if there is none. Waits for a transaction that creates one: its `adoptOrphans`
   * cannot see the system that this transaction registers.
   */
  async function firstAdmin(unit: UnitOfWork): Promise<string | undefined> {
    await unit.alone(FIRST_USER)
    return (await records.loadWhere('users', { role: 'admin' }, unit))[0]?.id
  }

  async function wasUsed(token: string): Promise<boolean> {
    const row = await db.kysely.selectFrom('hub_state').select('name').where('name', '=', usedMark(token)).executeTakeFirst()
    return row !== undefined
  }

  return { admit, resolve }
}

const tagsOfKey = ({ isAdmin, tags }: IngestOwner) => ({ source: isAdmin ? 'token' : 'person', texts: tags }) as const

/**
 * Returns the error text for an invalid fingerprint: empty, or over 1024 characters. `undefined` when it is valid. An empty one would match
 * every machine.
 */
function fingerprintProblem(fingerprint: string): string | undefined {
  if (fingerprint === '') return 'empty fingerprint'
  return fingerprint.length > LONGEST_FINGERPRINT ? 'fingerprint too long' : undefined
}

/**
 * Stores that the agent on the hub's own machine has used its token `token`. The agent then registers only one system, even if that system
 * is deleted later. Resolves to false when the token was used already.
 */
async function markUsed(unit: UnitOfWork, token: string): Promise<boolean> {
  const result = await unit.sql
    .insertInto('hub_state')
    .values({ name: usedMark(token), value: 'used' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Returns the key in the table `hub_state` for a token of the agent on the hub's own machine. A row with this key means that the agent has
 * registered with the token.
 */
export const usedMark = (token: string) => `enrolment.${digest(token).toString('hex')}`
const digest = (text: string) => createHash('sha256').update(text).digest()
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
