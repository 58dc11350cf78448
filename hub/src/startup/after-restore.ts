import type { ReadyRestore } from '../operations/backups/pending-restore.ts'
import type { Engine } from '../records/engine/engine.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { randomId } from '../platform/secrets/random-id.ts'
import { deleteProofs } from '../accounts/sessions/proofs.ts'

/**
 * Ends all sessions and deletes all API keys after a backup was restored, with an audit log entry; otherwise revoked ones would be valid
 * again. Must run before the hub accepts requests; may run twice.
 */
export async function afterRestore(
  { database, store, clock }: Pick<Engine, 'database' | 'store' | 'clock'>,
  { name, by }: ReadyRestore,
): Promise<void> {
  await database.write(async (unit) => {
    for (const { id } of await store.loadWhere('users', {}, unit)) {
      await store.update(unit, 'users', id, { tokenKey: randomId(50) })
      await deleteProofs(unit, id)
    }
    await unit.sql.deleteFrom('api_keys').execute()
    await noteInAudit(unit, clock.now(), { by: by ?? 'command line', action: 'restore', target: 'backups', name })
  })
}
