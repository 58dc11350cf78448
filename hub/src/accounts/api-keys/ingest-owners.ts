import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { parseJson } from '../../platform/json.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import { isKeyText, keyDigest } from './key-text.ts'

/**
 * Owner of an API key with the scope `ingest`: user id, and `isAdmin`, true for an admin. `tags` are given to the systems that agents enrol
 * with the key.
 */
export type IngestOwner = { readonly user: string; readonly isAdmin: boolean; readonly tags: readonly string[] }

/**
 * Looks up which of the texts are valid API keys with the scope `ingest`. Resolves to a map from key to its owner. A key of a read-only or
 * unverified account enrols no agent.
 */
export async function ingestOwners(
  { kysely }: Database,
  texts: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, IngestOwner>> {
  const byDigest = new Map(texts.filter(isKeyText).map((key) => [keyDigest(key), key]))
  if (byDigest.size === 0) return new Map()
  type Row = { readonly digest: string; readonly user: string; readonly role: string; readonly tags: string }
  const { rows } = await sql<Row>`
    select k.digest, k."user", k.tags, u.role from api_keys k join users u on u.id = k."user"
    where k.digest in (${sql.join([...byDigest.keys()])}) and k.scope = 'ingest' and (k.expires is null or k.expires > ${nowMs})
      and u.role <> 'readonly' and u.verified = 1`.execute(kysely)
  return new Map(
    rows.map(({ digest, user, role, tags }) => [
      byDigest.get(digest) ?? '',
      { user, isAdmin: role === 'admin', tags: tags === '' ? [] : labelsIn(parseJson(tags)) },
    ]),
  )
}
