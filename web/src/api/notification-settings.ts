import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { deleteRecord, getJson, sendRequest } from './client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'

/** Addresses to which a user's notifications are sent: email addresses and webhook URLs, as lists, from the user's settings. */
export type NotificationAddresses = { readonly emails: readonly string[]; readonly webhooks: readonly string[] }

/**
 * Addresses for a user's notifications, their language, and the number of minutes between reminders of a firing alert; 0 for no reminders.
 */
export type NotificationSettings = NotificationAddresses & { readonly remindMinutes: number; readonly language: 'en' | 'de' }

export const readNotifications = ({ emails, webhooks, remindMinutes, language }: JsonRecord): NotificationSettings => ({
  language: language === 'de' ? 'de' : 'en',
  remindMinutes: numberOf(remindMinutes) ?? 0,
  emails: listOf(emails).flatMap((one) => textOf(one) ?? []),
  webhooks: listOf(webhooks).flatMap((one) => textOf(one) ?? []),
})

/**
 * Makes the hub send a test message to a webhook URL. Resolves to the hub's text why it failed, such as an unknown service, no connection
 * or the provider's error; `undefined` after a success.
 */
export async function tryAddress(url: string): Promise<string | undefined> {
  const { err } = recordOf(await sendRequest('POST', '/api/beszel/test-notification', { url }))
  return textOf(err)
}

/**
 * Quiet hours of a user: a time range without notifications, for one system or all (`systemId` undefined). Daily ones have `start` and
 * `end` such as `22:00` in the quiet hours' time zone; others have ISO 8601 date-times.
 */
export type QuietWindow = {
  readonly id: string
  readonly type: 'one-time' | 'daily'
  readonly systemId: string | undefined
  readonly start: string
  readonly end: string
}

/**
 * All quiet hours (time ranges without notifications) of a user. `timeZone` is the IANA zone of the daily ones; `undefined` when none is
 * stored.
 */
export type QuietHours = { readonly timeZone: string | undefined; readonly windows: readonly QuietWindow[] }

const QUIET_HOURS = '/api/account/quiet-hours'

function readQuietHours(answer: unknown): QuietHours {
  const { zone, items } = recordOf(answer)
  const windows = listOf(items).flatMap((item) => {
    const window = recordOf(item)
    const [id, start, end] = [textOf(window['id']), textOf(window['start']), textOf(window['end'])]
    if (id === undefined || start === undefined || end === undefined) return []
    const type = window['type'] === 'daily' ? 'daily' : 'one-time'
    return [{ id, type, systemId: textOf(window['system']), start, end }] as const
  })
  return { timeZone: textOf(zone), windows }
}

export const quietHoursQuery = serverQuery(keys.quietHours, async (signal): Promise<QuietHours> =>
  readQuietHours(await getJson(QUIET_HOURS, signal)),
)

/**
 * Adds quiet hours (a time range without notifications) at the hub, with times in `timeZone`. Resolves to all quiet hours of the user.
 * Rejects with RequestFailed (409) if another time zone has been stored meanwhile.
 */
export const addQuietWindow = async (timeZone: string, { systemId = '', ...window }: Omit<QuietWindow, 'id'>): Promise<QuietHours> =>
  readQuietHours(await sendRequest('POST', QUIET_HOURS, { zone: timeZone, system: systemId, ...window }))

/**
 * Changes the time zone of the user's quiet hours at the hub and resolves to all of them; daily ones keep their times of day. Rejects with
 * RequestFailed (409) if the stored zone is no longer `was`, because another page changed it.
 */
export const changeQuietZone = async (timeZone: string, was: string | undefined): Promise<QuietHours> =>
  readQuietHours(await sendRequest('PATCH', QUIET_HOURS, { zone: timeZone, was: was ?? '' }))

export const removeQuietWindow = (id: string): Promise<unknown> => deleteRecord('quiet_hours', id)
