import type { ReadyRestore } from '../backups/pending-restore.ts'
import type { Engine } from '../records/engine.ts'
import { noteInAudit } from '../records/audit-log.ts'
import { randomId } from '../records/record-id.ts'
import { forgetProofs } from './proofs.ts'

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
