import { quietUntil, type QuietWindow } from '../judging/quiet-hours.ts'
import { knownZone } from '../judging/zone-clock.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { isJsonObject } from '../../records/model/json-value.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/** Until when a person is not to be told about a system, epoch milliseconds; undefined when they may be now. */
export type QuietFor = (system: string) => number | undefined

type QuietHoursQuery = {
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly unit: UnitOfWork
  readonly owner: string
  readonly nowMs: number
}

/** A person's quiet hours, by the clocks of their zone ({@link quietZoneOf}). */
export async function quietHoursOf({ records, unit, owner, nowMs }: QuietHoursQuery): Promise<QuietFor> {
  const rows = await records.loadWhere('quiet_hours', { user: owner }, unit)
  if (rows.length === 0) return () => undefined
  const [preferences] = await records.loadWhere('user_settings', { user: owner }, unit)
  const zone = quietZoneOf(preferences)
  const windows = rows.flatMap((row) => quietWindowOf(row) ?? [])
  const named = new Set(windows.map(({ system }) => system))
  // The answer for all systems without windows of their own is worked out once.
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

/** The zone that was stored with the quiet hours (`quietZone`); undefined for none, or one that this hub does not know. */
export const storedQuietZone = (preferences: StoredRecord | undefined): string | undefined => settingZone(preferences, 'quietZone')

/**
 * The zone (IANA) in whose clocks a person's daily quiet hours are. Without `quietZone` in their settings it is the zone that they
 * chose for all times (`timeZone`), else UTC, which clients without zones mean.
 */
export const quietZoneOf = (preferences: StoredRecord | undefined): string =>
  storedQuietZone(preferences) ?? settingZone(preferences, 'timeZone') ?? 'UTC'

function settingZone(preferences: StoredRecord | undefined, name: 'quietZone' | 'timeZone'): string | undefined {
  const settings = preferences?.['settings']
  return settings !== undefined && isJsonObject(settings) ? knownZone(settings[name]) : undefined
}

/** Undefined for a record without times. */
export function quietWindowOf(record: StoredRecord): (QuietWindow & { readonly system: string }) | undefined {
  const [startMs, endMs] = [Date.parse(textOf(record, 'start')), Date.parse(textOf(record, 'end'))]
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return undefined
  return { system: textOf(record, 'system'), type: textOf(record, 'type') === 'daily' ? 'daily' : 'one-time', startMs, endMs }
}
