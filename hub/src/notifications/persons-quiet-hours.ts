import { quietUntil, zoneOf, type QuietWindow } from '../alerts/quiet-hours.ts'
import type { UnitOfWork } from '../db/database.ts'
import { isJsonObject } from '../records/json-value.ts'
import type { RecordStore } from '../records/record-store.ts'
import { textOf, type StoredRecord } from '../records/stored-record.ts'

/** Until when a person is not to be told about a system, epoch milliseconds; undefined when they may be now. */
export type QuietFor = (system: string) => number | undefined

type Asked = { readonly records: Pick<RecordStore, 'loadWhere'>; readonly unit: UnitOfWork; readonly owner: string; readonly nowMs: number }

/** A person's quiet hours, by the clocks of the zone in their settings (`timeZone`, IANA; without one UTC, as clients without zones mean). */
export async function quietHoursOf({ records, unit, owner, nowMs }: Asked): Promise<QuietFor> {
  const rows = await records.loadWhere('quiet_hours', { user: owner }, unit)
  if (rows.length === 0) return () => undefined
  const [preferences] = await records.loadWhere('user_settings', { user: owner }, unit)
  const settings = preferences?.['settings']
  const zone = zoneOf(settings !== undefined && isJsonObject(settings) ? settings['timeZone'] : undefined)
  const windows = rows.flatMap((row) => windowOf(row) ?? [])
  const named = new Set(windows.map(({ system }) => system))
  // What holds for all systems without windows of their own is worked out once.
  const known = new Map<string, number | undefined>()
  return (system) => {
    const group = named.has(system) ? system : ''
    if (!known.has(group)) {
      const theirs = windows.filter((window) => window.system === '' || window.system === group)
      known.set(group, quietUntil(theirs, nowMs, zone))
    }
    return known.get(group)
  }
}

/** Undefined for a record without times. */
function windowOf(record: StoredRecord): (QuietWindow & { readonly system: string }) | undefined {
  const [startMs, endMs] = [Date.parse(textOf(record, 'start')), Date.parse(textOf(record, 'end'))]
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return undefined
  return { system: textOf(record, 'system'), type: textOf(record, 'type') === 'daily' ? 'daily' : 'one-time', startMs, endMs }
}
