import type { ApiKeyTable } from '../../platform/db/schema.ts'
import type { Log } from '../../platform/log.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import { checkField } from '../../records/model/field-check.ts'
import { parseJson } from '../../platform/json.ts'
import { MOST_TAGS } from '../../records/model/tag.ts'
import { keyScopes, type KeyScope } from '../../records/model/key-scope.ts'
import { asText, type StoredRecord } from '../../records/model/stored-record.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import { createKeyText, isKeyText, keyDigest } from './key-text.ts'

/** API key of a user without its secret text, as the owner and admins see it. Times are epoch ms. */
export type ApiKey = {
  readonly id: string
  /** Id of the account (`users`) that owns the API key. */
  readonly user: string
  readonly name: string
  readonly scope: KeyScope
  /**
   * List of tags of the API key. They limit it to systems with one of them; with the scope `ingest`, enrolled systems get them. `undefined`
   * for none.
   */
  readonly tags: readonly string[] | undefined
  readonly createdMs: number
  /** Time from which the API key is invalid, in epoch ms; `undefined` if it never expires. */
  readonly expiresMs: number | undefined
  /**
   * Time of a recent use of the key (request or enrolment), in epoch ms; the last use is at most 1 min later. `undefined` if the key was
   * never used.
   */
  readonly usedMs: number | undefined
}

/** Result of checking the API key of a request: the account of its owner (`actor`), and the key's id, scope and tags. */
export type KeyBearer = { readonly actor: StoredRecord; readonly key: Pick<ApiKey, 'id' | 'scope' | 'tags'> }

export type NewApiKey = {
  readonly name: string
  readonly scope: KeyScope
  /**
   * List of tags of the new API key, which limit it to systems with one of them; `undefined` or empty for no limit. With the scope
   * `ingest`, enrolled systems get these tags.
   */
  readonly tags?: readonly string[]
  readonly expiresMs: number | undefined
}

export type ApiKeys = {
  /**
   * Creates an API key of a user (`owner`) and resolves to it with its text (`key`), which cannot be read again. Throws 400 if the owner
   * has 50 keys, if a tag is invalid, or if a read-only account wants another scope than `read`.
   */
  readonly create: (owner: StoredRecord, wanted: NewApiKey) => Promise<ApiKey & { readonly key: string }>
  /**
   * Resolves to the API keys of the user with the id `user`, newest first, without their secret texts. Keys whose scope only a newer hub
   * knows are left out.
   */
  readonly list: (user: string) => Promise<readonly ApiKey[]>
  /**
   * Resolves to the API keys of all users, newest first, at most 1,000. Each has its owner's email address (`email`). Keys whose scope only
   * a newer hub knows are left out.
   */
  readonly listAll: () => Promise<readonly (ApiKey & { readonly email: string })[]>
  /**
   * Deletes the API key with this id, at once for all hubs of the database; `by` is the account that the audit log names. With `user` (id),
   * only a key of that user. Resolves to false if there is no such key.
   */
  readonly revoke: (by: StoredRecord, id: string, user?: string) => Promise<boolean>
  /**
   * Resolves to the owner of an API key (text) with the key's scope, and stores the time of its use. `undefined` if the key is unknown,
   * expired or revoked, or its owner is not verified.
   */
  readonly identify: (key: string) => Promise<KeyBearer | undefined>
}

/** Maximum number of API keys of one user: 50. A request to create one more is rejected with `validation_too_many`. */
const MOST_KEYS = 50
const MOST_LISTED = 1000
/** Shortest time between two writes of a key's last use, in ms (60 s). A write for each request would cost more than the request. */
const USE_INTERVAL_MS = 60_000

/**
 * Suffix ` by tags` after the scope of a tag-limited API key in the database. An older hub does not know such a scope, so the key gives no
 * access there.
 */
const LIMITED = ' by tags'

/**
 * Returns true if tags limit an API key to some systems: it has tags (`hasTags`) and another scope than `ingest`. With the scope `ingest`,
 * the systems that the key enrols get the tags.
 */
const isLimit = (scope: KeyScope, hasTags: boolean): boolean => hasTags && scope !== 'ingest'

const scopeOf = (text: string, hasTags: boolean): KeyScope | undefined =>
  keyScopes.find((scope) => text === (isLimit(scope, hasTags) ? scope + LIMITED : scope))

type Parts = Pick<Engine, 'database' | 'store' | 'clock'> & { readonly log: Pick<Log, 'debug'> }

/**
 * Creates the store of API keys. Each request with a key reads its row, so a revoked key is rejected from the next request on every hub.
 */
export function apiKeys({ database, store, clock, log }: Parts): ApiKeys {
  const noting = new Set<string>()

  /**
   * Stores the time of this use of an API key, unless it was stored within the last minute. Concurrent requests with one key write once.
   */
  async function noteUse({ id, used }: Pick<ApiKeyTable, 'id' | 'used'>): Promise<void> {
    const now = clock.now()
    if ((used !== null && used <= now && now - used < USE_INTERVAL_MS) || noting.has(id)) return
    noting.add(id)
    try {
      await database.write((unit) => unit.sql.updateTable('api_keys').set({ used: now }).where('id', '=', id).execute(), 'process')
    } catch (error) {
      // A database that cannot write now must not refuse reads.
      log.debug('use of an API key not stored', { error })
    } finally {
      noting.delete(id)
    }
  }

  return {
    async create(owner, { name, scope, tags = [], expiresMs }) {
      if (scope !== 'read' && owner['role'] === 'readonly')
        throw failed('scope', 'validation_not_allowed', 'Read-only accounts can only create keys with the scope read.')
      const problem = checkField({ kind: 'labels', name: 'tags', most: MOST_TAGS }, [...tags])
      if (problem !== undefined) throw badRequest('Failed to create the API key.', { tags: problem })
      const key = createKeyText()
      const row = { id: randomId(15), digest: keyDigest(key), user: owner.id, name, scope, created: clock.now(), used: null }
      await database.write(async (unit) => {
        await unit.alone(`api keys ${owner.id}`)
        const { count } = await unit.sql
          .selectFrom('api_keys')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('user', '=', owner.id)
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST_KEYS)
          throw failed('name', 'validation_too_many', `An account has at most ${MOST_KEYS} API keys. Revoke one.`)
        await unit.sql
          .insertInto('api_keys')
          .values({ ...row, ...tagColumns(scope, tags), expires: expiresMs ?? null })
          .execute()
        await noteInAudit(unit, row.created, { by: owner, action: 'create', target: 'api_keys', id: row.id, name })
      })
      return {
        id: row.id,
        user: row.user,
        name,
        scope,
        tags: tags.length === 0 ? undefined : tags,
        createdMs: row.created,
        expiresMs,
        usedMs: undefined,
        key,
      }
    },

    async list(user) {
      const rows = await database.kysely
        .selectFrom('api_keys')
        .selectAll()
        .where('user', '=', user)
        .orderBy('created', 'desc')
        .orderBy('id')
        .execute()
      return rows.flatMap(keysOfRow)
    },

    async listAll() {
      const rows = await database.kysely
        .selectFrom('api_keys')
        .selectAll()
        .orderBy('created', 'desc')
        .orderBy('id')
        .limit(MOST_LISTED)
        .execute()
      const users = new Map((await store.loadWhere('users', {})).map((user) => [user.id, user]))
      return rows.flatMap(keysOfRow).map((key) => ({ ...key, email: asText(users.get(key.user)?.['email'] ?? '') }))
    },

    async revoke(by, id, user) {
      return database.write(async (unit) => {
        const query = unit.sql.selectFrom('api_keys').selectAll().where('id', '=', id)
        const row = await (user === undefined ? query : query.where('user', '=', user)).executeTakeFirst()
        if (row === undefined) return false
        await unit.sql.deleteFrom('api_keys').where('id', '=', id).execute()
        await noteInAudit(unit, clock.now(), { by, action: 'delete', target: 'api_keys', id, name: row.name })
        return true
      })
    },

    async identify(key) {
      if (!isKeyText(key)) return undefined
      const row = await database.kysely.selectFrom('api_keys').selectAll().where('digest', '=', keyDigest(key)).executeTakeFirst()
      const [known] = row === undefined ? [] : keysOfRow(row)
      if (row === undefined || known === undefined || (known.expiresMs !== undefined && known.expiresMs <= clock.now())) return undefined
      const actor = await store.load('users', known.user)
      if (actor?.['verified'] !== true) return undefined
      await noteUse(row)
      const { id, scope, tags } = known
      return { actor, key: { id, scope, tags } }
    },
  }
}

const tagColumns = (scope: KeyScope, tags: readonly string[]) => ({
  scope: isLimit(scope, tags.length > 0) ? scope + LIMITED : scope,
  tags: tags.length === 0 ? '' : JSON.stringify(tags),
})

/**
 * Converts a row of the table of API keys to a list with one API key. The list is empty for a scope that only a newer hub knows: such a key
 * gives no access.
 */
function keysOfRow({ id, user, name, scope: text, tags, created, expires, used }: ApiKeyTable): readonly ApiKey[] {
  const scope = scopeOf(text, tags !== '')
  if (scope === undefined) return []
  const limit = tags === '' ? undefined : labelsIn(parseJson(tags))
  return [{ id, user, name, scope, tags: limit, createdMs: created, expiresMs: expires ?? undefined, usedMs: used ?? undefined }]
}

const failed = (field: string, code: string, message: string) => badRequest('Failed to create the API key.', { [field]: { code, message } })
