import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { minuteOfDay, momentAt, knownZone } from '../judging/zone-clock.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { RequestFacts } from '../../records/filter/filter-names.ts'
import { mergedSettings, changePersonSettings, loadSettingsToChange, type SettingsChange } from './person-settings.ts'
import { normalDate, recordDate, textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { badRequest, notFound, RecordError } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { prepareCreate } from '../../records/writing/write.ts'
import { quietWindowOf, quietZoneOf, storedQuietZone } from './recipient.ts'

/**
 * Schema of one window of quiet hours in API responses. A daily window has `start` and `end` such as `22:00` in the time zone of the user's
 * quiet hours, a one-time window record dates. `system` is `''` for all systems.
 */
const shownWindow = z.object({
  id: z.string(),
  type: z.enum(['daily', 'one-time']),
  system: z.string(),
  start: z.string(),
  end: z.string(),
})
type ShownWindow = Readonly<z.infer<typeof shownWindow>>

/**
 * Schema of a user's quiet hours in API responses: the windows (`items`) with their IANA time zone. `zone` is `''` if none is stored and
 * there is no daily window.
 */
export const shownQuietHours = z.object({ zone: z.string(), items: z.array(shownWindow).readonly() })
type ShownQuietHours = Readonly<z.infer<typeof shownQuietHours>>

/**
 * Loads a user's quiet hours: the list of windows, and the IANA time zone of the daily ones. It is `''` if none is stored and there is no
 * daily window. Windows with invalid times are left out.
 */
export const listQuietHours = (engine: Engine, userId: string): Promise<ShownQuietHours> => readQuietHours(engine, userId)

/** Creates the error 409 for a request whose time zone differs from the one stored for the user's quiet hours. */
const zoneChanged = (): RecordError =>
  new RecordError(409, 'The time zone of your quiet hours was changed elsewhere. Check it and try again.')

/**
 * Adds quiet hours from a request body `{ zone, type, system, start, end }`, and resolves to all quiet hours of the user. `zone` is the
 * time zone that the client displayed; it is stored if the user has no zone for quiet hours. Rejects with 409 if another zone is in force,
 * 400 for invalid fields, and 404 for a deleted user.
 */
export async function addQuietHours(engine: Engine, userId: string, facts: RequestFacts, body: Body): Promise<ShownQuietHours> {
  const zone = parseZone(body['zone'])
  const { type } = body
  const { start, end } = type === 'daily' ? dailyTimes(body, zone, engine.clock.now()) : onceTimes(body)
  const collection = engine.collections.find('quiet_hours')
  if (collection === undefined) throw notFound()
  const values = { user: userId, type: type ?? '', system: body['system'] ?? '', start, end }
  const create = await prepareCreate(engine, collection, { ...facts, body: values })
  return engine.database.write(async (unit) => {
    const preferences = await loadSettingsToChange(engine, unit, userId)
    const inForce = (await readQuietHours(engine, userId, unit)).zone
    if (inForce !== '' && inForce !== zone) throw zoneChanged()
    await create(unit)
    if (storedQuietZone(preferences) === undefined) await storeZone(engine, unit, userId, zone)
    return readQuietHours(engine, userId, unit)
  })
}

/**
 * Moves a user's daily quiet hours to another time zone, from a request body `{ zone, was }`. Resolves to all quiet hours of the user. They
 * keep their times of day. Rejects with 409 if `was` is not the zone in force (`''` for none), and with 400 for an unknown zone.
 */
export async function changeQuietZone(engine: Engine, userId: string, body: Body): Promise<ShownQuietHours> {
  const zone = parseZone(body['zone'])
  return engine.database.write(async (unit) => {
    const preferences = await loadSettingsToChange(engine, unit, userId)
    if ((await readQuietHours(engine, userId, unit)).zone !== body['was']) throw zoneChanged()
    const before = quietZoneOf(preferences)
    const moved = (atMs: number) => recordDate(momentAt(minuteOfDay(atMs, before), zone, engine.clock.now()))
    for (const { id } of await engine.store.loadWhere('quiet_hours', { user: userId, type: 'daily' }, unit)) {
      const record = await engine.store.loadToChange('quiet_hours', id, unit)
      const window = record === undefined ? undefined : quietWindowOf(record)
      if (window !== undefined)
        await engine.store.update(unit, 'quiet_hours', id, { start: moved(window.startMs), end: moved(window.endMs) })
    }
    await storeZone(engine, unit, userId, zone)
    return readQuietHours(engine, userId, unit)
  })
}

/**
 * Changes a user's settings and resolves to all of them. If the user's time zone changes, daily quiet hours without an own time zone keep
 * the previous one. Rejects with 400 for invalid settings, and with 404 for a deleted user.
 */
export async function changeOwnSettings(engine: Engine, userId: string, change: SettingsChange): Promise<JsonObject> {
  return engine.database.write(async (unit) => {
    const preferences = await loadSettingsToChange(engine, unit, userId)
    const { zone } = await readQuietHours(engine, userId, unit)
    const isMoved = Object.hasOwn(change.merge, 'timeZone') && zone !== '' && storedQuietZone(preferences) === undefined
    const before: JsonObject = isMoved ? { quietZone: zone } : {}
    return changePersonSettings(engine, unit, userId, (stored) => mergedSettings({ ...stored, ...before }, change))
  })
}

const storeZone = (engine: Engine, unit: UnitOfWork, userId: string, zone: string) =>
  changePersonSettings(engine, unit, userId, (stored) => ({ ...stored, quietZone: zone }))

async function readQuietHours({ store }: Engine, userId: string, unit?: UnitOfWork): Promise<ShownQuietHours> {
  const [preferences] = await store.loadWhere('user_settings', { user: userId }, unit)
  const zone = quietZoneOf(preferences)
  const items = (await store.loadWhere('quiet_hours', { user: userId }, unit)).flatMap((record) => shown(record, zone) ?? [])
  const isInForce = storedQuietZone(preferences) !== undefined || items.some(({ type }) => type === 'daily')
  return { zone: isInForce ? zone : '', items }
}

function shown(record: StoredRecord, zone: string): ShownWindow | undefined {
  const window = quietWindowOf(record)
  if (window === undefined) return undefined
  const { type, system, startMs, endMs } = window
  if (type === 'one-time') return { id: record.id, type, system, start: textOf(record, 'start'), end: textOf(record, 'end') }
  return { id: record.id, type, system, start: clockText(minuteOfDay(startMs, zone)), end: clockText(minuteOfDay(endMs, zone)) }
}

const clockText = (minute: number): string => [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

function parseZone(value: unknown): string {
  const zone = knownZone(value)
  if (zone === undefined) throw fieldError('zone', 'Must be the name of a time zone, such as Europe/Berlin.')
  return zone
}

function dailyTimes({ start, end }: Body, zone: string, nowMs: number): { readonly start: string; readonly end: string } {
  const [from, to] = [minuteIn('start', start), minuteIn('end', end)]
  if (from === to) throw fieldError('end', 'Must be another time than the start.')
  return { start: recordDate(momentAt(from, zone, nowMs)), end: recordDate(momentAt(to, zone, nowMs)) }
}

function minuteIn(field: string, value: unknown): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(typeof value === 'string' ? value : '') ?? []
  if (hours === undefined || minutes === undefined) throw fieldError(field, 'Must be a time of day, such as 22:00.')
  return Number(hours) * 60 + Number(minutes)
}

function onceTimes({ start, end }: Body): { readonly start: string; readonly end: string } {
  const [from, to] = [dateIn('start', start), dateIn('end', end)]
  if (to <= from) throw fieldError('end', 'Must be after the start.')
  return { start: from, end: to }
}

function dateIn(field: string, value: unknown): string {
  const date = normalDate(typeof value === 'string' ? value : '')
  if (date === '') throw fieldError(field, 'Must be a date.')
  return date
}

const fieldError = (field: string, message: string): RecordError =>
  badRequest('Failed to create record.', { [field]: { code: 'validation_invalid_value', message } })
