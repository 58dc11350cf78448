import type { Json } from '@vedette/protocol/wire/stats-json'
import { kindOf, schemeOf } from '../../delivery/channels/channels.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import { isJsonObject } from '../../platform/json.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import type { Target } from './delivery-store.ts'
import { quietUntil, type QuietWindow } from '../judging/quiet-hours.ts'
import { knownZone } from '../judging/zone-clock.ts'

export type PersonsChannel = { readonly target: Target; readonly kind: string }

/** Maximum number of notification channels of a user: 20 channel addresses and 20 email addresses. Further ones get no notifications. */
const MOST_ADDRESSES = 20

type ChannelsQuery = {
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly unit: UnitOfWork
  readonly owner: string
  readonly sendsMail: boolean
}

/**
 * Resolves to the channels for a user's notifications: channel addresses from the settings, and email addresses if the hub sends email. At
 * most 20 of each. Without stored settings, the account's email address takes their place; with unreadable ones, there are none. Sending to
 * an invalid address fails later.
 */
export async function channelsOf({ records, unit, owner, sendsMail }: ChannelsQuery): Promise<readonly PersonsChannel[]> {
  // Settings that cannot be read yield no channels. They must not block notifications to other people.
  const settings = await whereReadable(() => settingsOf(records, unit, owner))
  if (settings === undefined || !isJsonObject(settings)) return []
  const addresses = texts(settings['webhooks']).map((address): PersonsChannel => ({
    target: { way: 'address', address },
    kind: kindOf(address)?.name ?? schemeOf(address).slice(0, 40),
  }))
  const emails = texts(settings['emails']).map((to): PersonsChannel => ({ target: { way: 'mail', to }, kind: 'e-mail' }))
  return [...addresses, ...(sendsMail ? emails : [])]
}

async function settingsOf(records: ChannelsQuery['records'], unit: UnitOfWork, owner: string): Promise<Json | undefined> {
  const [record] = await records.loadWhere('user_settings', { user: owner }, unit)
  return record === undefined ? { emails: await ownAddress(records, unit, owner) } : record['settings']
}

async function ownAddress(records: ChannelsQuery['records'], unit: UnitOfWork, id: string): Promise<readonly string[]> {
  return (await records.loadWhere('users', { id }, unit)).map((account) => textOf(account, 'email'))
}

/**
 * Minimum number of minutes between two reminders of one incident in a user's settings: 5. With a smaller value the user gets no reminders;
 * the maximum is one day.
 */
const FEWEST_MINUTES = 5
const MOST_MINUTES = 1440

/**
 * Returns the minutes between reminders (5 to 1,440) from a user's settings, `remindMinutes`. `undefined` for any other value: the user
 * gets no reminders.
 */
export function reminderMinutes(settings: Json | undefined): number | undefined {
  const minutes = isJsonObject(settings) ? settings['remindMinutes'] : undefined
  return typeof minutes === 'number' && minutes >= FEWEST_MINUTES && minutes <= MOST_MINUTES ? minutes : undefined
}

/** Loads the minutes between reminders from a user's settings. `undefined` if the user gets none, or the settings cannot be read. */
export const loadReminderMinutes = async (query: Omit<ChannelsQuery, 'sendsMail'>): Promise<number | undefined> =>
  reminderMinutes((await loadPreferences(query))?.['settings'])

/** Returns all channel addresses and email addresses in a user's settings, at most 20 of each. */
export const addressesIn = (settings: Json | undefined): readonly string[] =>
  isJsonObject(settings) ? [...texts(settings['webhooks']), ...texts(settings['emails'])] : []

/** Loads a user's settings record. `undefined` if there is none, or if it cannot be read. */
export async function loadPreferences({ records, unit, owner }: Omit<ChannelsQuery, 'sendsMail'>): Promise<StoredRecord | undefined> {
  const [record] = (await whereReadable(() => records.loadWhere('user_settings', { user: owner }, unit))) ?? []
  return record
}

/** Returns true if a user's settings contain the setting `name`, and it is neither null nor an empty list. */
export function hasSetting(settings: Json | undefined, name: 'notificationRules' | 'escalation' | 'groupMinutes'): boolean {
  const value = isJsonObject(settings) ? (settings[name] ?? undefined) : undefined
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

function texts(value: Json | undefined): readonly string[] {
  const all = Array.isArray(value) ? value.filter((one) => typeof one === 'string').map((one) => one.trim()) : []
  return [...new Set(all.filter((one) => one !== ''))].slice(0, MOST_ADDRESSES)
}

/**
 * Function from system id to the end of the user's current quiet hours for that system, in epoch ms; `undefined` outside of quiet hours.
 */
export type QuietFor = (system: string) => number | undefined

type QuietHoursQuery = {
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly unit: UnitOfWork
  readonly owner: string
  readonly nowMs: number
}

/**
 * Loads a user's quiet hours. Resolves to a function from system id to the end (epoch ms) of the quiet hours at `nowMs`. Damaged records do
 * not count; with unreadable settings the time zone is UTC.
 */
export async function quietHoursOf({ records, unit, owner, nowMs }: QuietHoursQuery): Promise<QuietFor> {
  const rows = (await whereReadable(() => records.loadWhere('quiet_hours', { user: owner }, unit))) ?? []
  if (rows.length === 0) return () => undefined
  const [preferences] = (await whereReadable(() => records.loadWhere('user_settings', { user: owner }, unit))) ?? []
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

/** Returns the IANA time zone `quietZone` from a user's settings record. `undefined` if it is missing or unknown to this runtime. */
export const storedQuietZone = (preferences: StoredRecord | undefined): string | undefined => settingZone(preferences, 'quietZone')

/** Returns the IANA time zone of a user's daily quiet hours from the settings record: `quietZone`, else `timeZone`, else UTC. */
export const quietZoneOf = (preferences: StoredRecord | undefined): string =>
  storedQuietZone(preferences) ?? settingZone(preferences, 'timeZone') ?? 'UTC'

function settingZone(preferences: StoredRecord | undefined, name: 'quietZone' | 'timeZone'): string | undefined {
  const settings = preferences?.['settings']
  return settings !== undefined && isJsonObject(settings) ? knownZone(settings[name]) : undefined
}

/** Parses a record of the collection `quiet_hours` to a time window and its system (`''` for all). `undefined` if its times are invalid. */
export function quietWindowOf(record: StoredRecord): (QuietWindow & { readonly system: string }) | undefined {
  const [startMs, endMs] = [Date.parse(textOf(record, 'start')), Date.parse(textOf(record, 'end'))]
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return undefined
  return { system: textOf(record, 'system'), type: textOf(record, 'type') === 'daily' ? 'daily' : 'one-time', startMs, endMs }
}
