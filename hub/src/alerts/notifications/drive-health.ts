import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { viewersOf } from '../../records/engine/access.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { putNotice } from './notice-outbox.ts'

/** List of the SMART health states of a drive, from good to bad: `PASSED`, `WARNING`, `FAILED`. Any other text counts as unknown. */
const healthStates = ['PASSED', 'WARNING', 'FAILED']

/**
 * Returns true if a drive's SMART health changed from a known state to a worse one, such as from `PASSED` to `WARNING`. False if one of the
 * states is unknown, as for a drive that is seen for the first time.
 */
export function isWorse(before: string, after: string): boolean {
  const known = healthStates.indexOf(before)
  return known !== -1 && healthStates.indexOf(after) > known
}

/**
 * System record, and `before`: the records of its drives (collection `smart_devices`) as they were before the transaction replaced them.
 * The health before and after is compared.
 */
export type StoredDrives = { readonly system: StoredRecord; readonly before: readonly StoredRecord[] }

/**
 * Stores a notification for each user who may view the system, when the SMART health of one of its drives got worse. Runs in the
 * transaction that stores the drives.
 */
export async function notifyWorseDrives(unit: UnitOfWork, engine: Engine, { system, before }: StoredDrives): Promise<void> {
  const stateBefore = new Map(before.map((drive) => [drive.id, textOf(drive, 'state')]))
  const drives = await engine.store.loadWhere('smart_devices', { system: system.id }, unit)
  const worse = drives.filter((drive) => isWorse(stateBefore.get(drive.id) ?? '', textOf(drive, 'state')))
  if (worse.length === 0) return
  const owners = await viewersOf(engine, 'systems', system, unit)
  const nowMs = engine.clock.now()
  for (const drive of worse) {
    const model = textOf(drive, 'model')
    const target = `${textOf(drive, 'name')}${model === '' ? '' : ` (${model})`}`
    const body = { systemName: textOf(system, 'name'), kind: 'Drive', target, reason: textOf(drive, 'state'), beganMs: nowMs }
    for (const owner of owners)
      await putNotice(unit, { incident: `${drive.id} ${nowMs} ${owner}`, transition: 'worse', owner, system: system.id, atMs: nowMs, body })
  }
}
