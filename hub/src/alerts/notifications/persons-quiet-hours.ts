import { quietUntil, type QuietWindow } from '../judging/quiet-hours.ts'
import { knownZone } from '../judging/zone-clock.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { isJsonObject } from '../../records/model/json-value.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/** End of the quiet hours for a system, epoch milliseconds; undefined outside them. */
export type QuietFor = (system: string) => number | undefined

type QuietHoursQuery = {
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly unit: UnitOfWork
  readonly owner: string
  readonly nowMs: number
}

/** Loads a person's quiet hours, in their time zone ({@link quietZoneOf}). */
export async function quietHoursOf({ records, unit, owner, nowMs }: QuietHoursQuery): Promise<QuietFor> {
  const rows = await records.loadWhere('quiet_hours', { user: owner }, unit)
  if (rows.length === 0) return () => undefined
  const [preferences] = await records.loadWhere('user_settings', { user: owner }, unit)
  const zone = quietZoneOf(preferences)
  const windows = rows.flatMap((row) => quietWindowOf(row) ?? [])
  const named = new Set(windows.map(({ system }) => system))
  // All systems without windows of their own share one cached result.
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

/** The time zone stored with the quiet hours (`quietZone`); undefined if none is stored or this hub does not know it. */
export const storedQuietZone = (preferences: StoredRecord | undefined): string | undefined => settingZone(preferences, 'quietZone')

/**
 * Time zone (IANA) of a person's daily quiet hours. Without `quietZone` in their settings the general `timeZone` applies, else UTC, which
 * clients without zones mean.
 */
export const quietZoneOf = (preferences: StoredRecord | undefined): string =>
  storedQuietZone(preferences) ?? settingZone(preferences, 'timeZone') ?? 'UTC'

function settingZone(preferences: StoredRecord | undefined, name: 'quietZone' | 'timeZone'): string | undefined {
  const settings = preferences?.['settings']
  return settings !== undefined && isJsonObject(settings) ? knownZone(settings[name]) : undefined
}

/** Parses a record; undefined if its times are invalid. */
export function quietWindowOf(record: StoredRecord): (QuietWindow & { readonly system: string }) | undefined {
  const [startMs, endMs] = [Date.parse(textOf(record, 'start')), Date.parse(textOf(record, 'end'))]
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return undefined
  return { system: textOf(record, 'system'), type: textOf(record, 'type') === 'daily' ? 'daily' : 'one-time', startMs, endMs }
}
