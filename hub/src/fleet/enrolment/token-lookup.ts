import { sql } from 'kysely'
import { ingestOwners, type IngestOwner } from '../../accounts/api-keys/ingest-owners.ts'
import { storedToken } from '../../accounts/api-keys/key-text.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/**
 * Stored token of a system: id of the `system`, and the `fingerprint` of the agent that uses it (`''` before the first use). `id` is that
 * of the record in `fingerprints`.
 */
export type TokenHolder = { readonly id: string; readonly system: string; readonly fingerprint: string }

/**
 * Result of looking up an agent's token in the database. The token can be a user's permanent universal token, an API key, or that of one or
 * several existing systems.
 */
export type TokenFacts = {
  /**
   * Id of the user who owns this permanent universal token or API key with the scope `ingest`, with which agents register new systems.
   * `undefined` for any other token, also for a temporary universal token, which is looked up elsewhere.
   */
  readonly owner: string | undefined
  /** Owner and tags of the API key that the agent sent as token, with the scope `ingest`; `undefined` for any other token. */
  readonly key: IngestOwner | undefined
  readonly isHeld: boolean
  /** System to which the agent's token belongs, if it is exactly one; `undefined` when it belongs to no system or to several. */
  readonly only: TokenHolder | undefined
}

type Call = { readonly token: string; readonly resolve: (facts: TokenFacts) => void; readonly reject: (error: unknown) => void }

/**
 * Time in ms (5) for which lookups of agents' tokens are collected before one set of database queries for all. Many agents reconnect in the
 * same moment after a restart.
 */
const BATCH_MS = 5

/**
 * Returns a function that looks up an agent's token in the database. All lookups within 5 ms share three queries. One query per token is
 * too slow when thousands of agents connect after a restart.
 */
export function tokenLookup(db: Database, secrets: Pick<SecretBox, 'digest'>, clock: Clock): (token: string) => Promise<TokenFacts> {
  let calls: Call[] = []

  async function answer(batch: readonly Call[]): Promise<void> {
    try {
      const tokens = [...new Set(batch.map(({ token }) => token))]
      const [owners, keyOwners, holders] = await Promise.all([ownersOf(tokens), ingestOwners(db, tokens, clock.now()), holdersOf(tokens)])
      for (const { token, resolve } of batch) {
        const holder = holders.get(token)
        const only = holder === undefined || holder.isShared !== 0 ? undefined : holder
        const key = keyOwners.get(token)
        resolve({ owner: owners.get(token)?.user ?? key?.user, key, isHeld: holder !== undefined, only })
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function ownersOf(tokens: readonly string[]) {
    return byToken<{ readonly user: string }>('universal_tokens', tokens, (elements) => {
      return sql`select e.value as digest, t."user" from ${elements} join universal_tokens t on t."tokenHmac" = e.value`
    })
  }

  /**
   * Resolves to a map from token to the system that has it (one of them, if several have it). `isShared` is 1 if several systems have the
   * token, else 0. Tokens without a system are absent.
   */
  function holdersOf(tokens: readonly string[]) {
    return byToken<TokenHolder & { readonly isShared: number }>('fingerprints', tokens, (elements) => {
      const first = sql`select one.id from fingerprints one where one."tokenHmac" = e.value limit 1`
      const another = sql`select 1 from fingerprints other where other."tokenHmac" = e.value and other.id <> t.id`
      return sql`select e.value as digest, t.id, t.system, t.fingerprint, case when exists (${another}) then 1 else 0 end as "isShared"
        from ${elements} join fingerprints t on t.id = (${first})`
    })
  }

  async function byToken<T>(
    collection: string,
    tokens: readonly string[],
    query: (elements: ReturnType<typeof sql>) => ReturnType<typeof sql>,
  ): Promise<ReadonlyMap<string, T>> {
    const byDigest = new Map(tokens.map((token) => [secrets.digest(`${collection}.token`, storedToken(token)), token]))
    const elements = db.dialect.elements(sql`${JSON.stringify([...byDigest.keys()])}`, 'e')
    const { rows } = await sql<T & { readonly digest: string }>`${query(elements)}`.execute(db.kysely)
    return new Map(rows.map((row) => [byDigest.get(row.digest) ?? '', row]))
  }

  return (token) =>
    new Promise((resolve, reject) => {
      calls.push({ token, resolve, reject })
      if (calls.length > 1) return
      setTimeout(() => {
        const batch = calls
        calls = []
        void answer(batch)
      }, BATCH_MS)
    })
}
