import type { ReadyRestore } from '../operations/backups/pending-restore.ts'
import type { Engine } from '../records/engine/engine.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { randomId } from '../records/model/record-id.ts'
import { forgetProofs } from '../accounts/sessions/proofs.ts'

/**
 * To be done in what was restored, before anybody is let in; doing it twice changes nothing. Sessions that ended since the backup
 * was made, and tokens that were taken back, would be good again: so all of them end. Whoever reads what was restored is to know that
 * it is.
 */
export async function afterRestore(
  { database, store, clock }: Pick<Engine, 'database' | 'store' | 'clock'>,
  { name, by }: ReadyRestore,
): Promise<void> {
  await database.write(async (unit) => {
    for (const { id } of await store.loadWhere('users', {}, unit)) {
      await store.update(unit, 'users', id, { tokenKey: randomId(50) })
      await forgetProofs(unit, id)
    }
    await noteInAudit(unit, clock.now(), { by: by ?? 'command line', action: 'restore', target: 'backups', name })
  })
}
