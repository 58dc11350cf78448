import type { UnitOfWork } from '../../platform/db/database.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { putNotice } from './notice.ts'

/** How a drive judges itself, from good to bad; anything else is not known. */
const judgements = ['PASSED', 'WARNING', 'FAILED']

/** Whether a known judgement has become a worse one: what was bad when it was first seen is no news, and neither is not knowing. */
export function isWorse(before: string, after: string): boolean {
  const known = judgements.indexOf(before)
  return known !== -1 && judgements.indexOf(after) > known
}

type Health = { readonly system: StoredRecord; readonly before: readonly StoredRecord[]; readonly nowMs: number }

/** Tells whom a system is shared with of its drives whose health got worse, in the unit of work that stores it. */
export async function tellWorseDrives(unit: UnitOfWork, records: RecordStore, { system, before, nowMs }: Health): Promise<void> {
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
