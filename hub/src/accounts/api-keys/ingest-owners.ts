import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isKeyText, keyDigest } from './key-text.ts'

/**
 * Looks up which of the texts are valid API keys with the scope `ingest`. Resolves to a map from key to the owner's user id. A key of a
 * read-only or unverified account enrols no agent.
 */
export async function ingestOwners({ kysely }: Database, texts: readonly string[], nowMs: number): Promise<ReadonlyMap<string, string>> {
  const byDigest = new Map(texts.filter(isKeyText).map((key) => [keyDigest(key), key]))
  if (byDigest.size === 0) return new Map()
  const { rows } = await sql<{ readonly digest: string; readonly user: string }>`
    select k.digest, k."user" from api_keys k join users u on u.id = k."user"
    where k.digest in (${sql.join([...byDigest.keys()])}) and k.scope = 'ingest' and (k.expires is null or k.expires > ${nowMs})
      and u.role <> 'readonly' and u.verified = 1`.execute(kysely)
  return new Map(rows.map(({ digest, user }) => [byDigest.get(digest) ?? '', user]))
}
