import type { UnitOfWork } from '../../platform/db/database.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { putNotice } from './notice-outbox.ts'

/** List of the SMART health states of a drive, from good to bad. Any other text counts as unknown. */
const healthStates = ['PASSED', 'WARNING', 'FAILED']

/**
 * Returns true if a drive's health changed from a known state to a worse one. False for a drive that is bad when first seen, or whose state
 * becomes unknown.
 */
export function isWorse(before: string, after: string): boolean {
  const known = healthStates.indexOf(before)
  return known !== -1 && healthStates.indexOf(after) > known
}

type Health = { readonly system: StoredRecord; readonly before: readonly StoredRecord[]; readonly nowMs: number }

/** Stores a notification for every user of a system when a drive's health got worse. Runs in the transaction that stores the drives. */
export async function notifyWorseDrives(unit: UnitOfWork, records: RecordStore, { system, before, nowMs }: Health): Promise<void> {
  const stateBefore = new Map(before.map((drive) => [drive.id, textOf(drive, 'state')]))
  const { users } = system
  const owners = Array.isArray(users) ? users.filter((id) => typeof id === 'string') : []
  for (const drive of await records.loadWhere('smart_devices', { system: system.id }, unit)) {
    const reason = textOf(drive, 'state')
    if (!isWorse(stateBefore.get(drive.id) ?? '', reason)) continue
    const model = textOf(drive, 'model')
    const target = `${textOf(drive, 'name')}${model === '' ? '' : ` (${model})`}`
    const body = { systemName: textOf(system, 'name'), kind: 'Drive', target, reason, beganMs: nowMs }
    for (const owner of owners)
      await putNotice(unit, { incident: `${drive.id} ${nowMs} ${owner}`, transition: 'worse', owner, system: system.id, atMs: nowMs, body })
  }
}
