import { sql } from 'kysely'
import { deleteEndedCounts } from '../../platform/cluster/stored-counts.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { recordDate } from '../../records/model/stored-record.ts'

/** Age, in ms, at which one-time codes and unfinished sign-ins are deleted: 1 day. They are valid for at most that long. */
const UNFINISHED_SIGN_IN_MS = 86_400_000

/**
 * Deletes expired sessions, temporary agent tokens, used challenges and counts of attempts, and one-time codes and unfinished sign-ins
 * older than 1 day. Resolves to the number of deleted sessions, codes and unfinished sign-ins.
 */
export async function deleteExpired({ database, collections, store, clock }: Engine): Promise<number> {
  const before = recordDate(clock.now() - UNFINISHED_SIGN_IN_MS)
  const traces = await Promise.all(
    ['_otps', '_mfas'].map(async (name) => {
      const collection = collections.find(name)
      const old = collection === undefined ? [] : await store.loadSelected(collection, sql`where r.created < ${before}`)
      return old.map(({ id }) => ({ name, id }))
    }),
  )
  return database.write(async (unit) => {
    const { numDeletedRows } = await unit.sql.deleteFrom('session_tokens').where('expires', '<=', clock.now()).executeTakeFirst()
    await unit.sql.deleteFrom('used_challenges').where('until', '<=', clock.now()).execute()
    await unit.sql.deleteFrom('temporary_tokens').where('until', '<=', clock.now()).execute()
    if (database.name === 'postgres') await deleteEndedCounts(unit.sql)
    for (const { name, id } of traces.flat()) await store.remove(unit, name, id)
    return Number(numDeletedRows) + traces.flat().length
  }, 'process')
}
