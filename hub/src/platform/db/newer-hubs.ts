import { isAtLeast, parseVersion, VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Database } from './database.ts'
import { loadSchema } from './schema-support.ts'

/**
 * Resolves to true when a hub of a newer version than `version` uses the database, or when a newer version ran the last migration. Hubs
 * that died count for 24 h, because they may restart.
 */
export async function hasNewerHub({ kysely, name }: Database, version = VEDETTE_VERSION): Promise<boolean> {
  const hubs = await kysely.selectFrom('hubs').select('version').execute()
  if (hubs.some((hub) => isNewer(hub.version, version))) return true
  const { support } = await loadSchema(kysely, name)
  return support !== undefined && isNewer(support.writtenBy, version)
}

function isNewer(text: string, than: string): boolean {
  const [version, own] = [parseVersion(text), parseVersion(than)]
  if (version === undefined || own === undefined || text === than) return false
  return isAtLeast(version, [own.major, own.minor, own.patch])
}
