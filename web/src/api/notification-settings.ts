import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { deleteRecord, getJson, sendRequest } from './client.ts'
import { listOf, recordOf, textOf, type JsonRecord } from './json.ts'

/** Where a person is told: mail addresses, and addresses of services in the notation of their settings. */
export type NotificationSettings = { readonly emails: readonly string[]; readonly webhooks: readonly string[] }

export const readNotifications = ({ emails, webhooks }: JsonRecord): NotificationSettings => ({
  emails: listOf(emails).flatMap((one) => textOf(one) ?? []),
  webhooks: listOf(webhooks).flatMap((one) => textOf(one) ?? []),
})

/** Sends a message to try an address: what went wrong in the provider's words, undefined when it was taken. */
export async function tryAddress(url: string): Promise<string | undefined> {
  const { err } = recordOf(await sendRequest('POST', '/api/beszel/test-notification', { url }))
  return textOf(err)
}

/**
 * A time in which a person is not told. Of a daily one `start` and `end` are times of day such as `22:00` by the clocks of the zone
 * of the quiet hours, of the others dates.
 */
export type QuietWindow = {
  readonly id: string
  readonly type: 'one-time' | 'daily'
  readonly systemId: string | undefined
  readonly start: string
  readonly end: string
}

/** `timeZone` (IANA): the one that the hub goes by; undefined while none is stored and no window asks for one. */
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

/** Adds a window in the zone that the page shows. Throws a RequestFailed with status 409 if another one is in force by now. */
export const addQuietWindow = async (timeZone: string, { systemId = '', ...window }: Omit<QuietWindow, 'id'>): Promise<QuietHours> =>
  readQuietHours(await sendRequest('POST', QUIET_HOURS, { zone: timeZone, system: systemId, ...window }))

/** Moves daily windows to another zone, at the same times of day. Throws a RequestFailed with status 409 if `was` is no longer in force. */
export const changeQuietZone = async (timeZone: string, was: string | undefined): Promise<QuietHours> =>
  readQuietHours(await sendRequest('PATCH', QUIET_HOURS, { zone: timeZone, was: was ?? '' }))

export const removeQuietWindow = (id: string): Promise<unknown> => deleteRecord('quiet_hours', id)
