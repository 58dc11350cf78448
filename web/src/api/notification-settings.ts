import { changeSettings, fetchSettings } from './account.ts'
import { createRecord, deleteRecord, listRecords, sendRequest } from './client.ts'
import { listOf, recordOf, textOf, timeOf, type JsonRecord } from './json.ts'

/** Where a person is told: mail addresses, and addresses of services in the notation of their settings. */
export type NotificationSettings = { readonly emails: readonly string[]; readonly webhooks: readonly string[] }

export const readNotifications = ({ emails, webhooks }: JsonRecord): NotificationSettings => ({
  emails: listOf(emails).flatMap((one) => textOf(one) ?? []),
  webhooks: listOf(webhooks).flatMap((one) => textOf(one) ?? []),
})

export const fetchNotifications = async (): Promise<NotificationSettings> => readNotifications(await fetchSettings())

/** Gives what is stored then. */
export const changeNotifications = async (userId: string, next: NotificationSettings): Promise<NotificationSettings> =>
  readNotifications(await changeSettings(userId, (stored) => ({ ...stored, emails: [...next.emails], webhooks: [...next.webhooks] })))

/** Sends a message to try an address: what went wrong in the provider's words, undefined when it was taken. */
export async function tryAddress(url: string): Promise<string | undefined> {
  const { err } = recordOf(await sendRequest('POST', '/api/beszel/test-notification', { url }))
  return textOf(err)
}

/** A time in which a person is not told. Epoch ms; of a daily one only the times of day count. */
export type QuietWindow = {
  readonly id: string
  readonly type: 'one-time' | 'daily'
  readonly systemId: string | undefined
  readonly startMs: number
  readonly endMs: number
}

export async function fetchQuietWindows(): Promise<readonly QuietWindow[]> {
  return (await listRecords('quiet_hours', {})).flatMap((record) => {
    const [id, startMs, endMs] = [textOf(record['id']), timeOf(record['start']), timeOf(record['end'])]
    if (id === undefined || startMs === undefined || endMs === undefined) return []
    const type = record['type'] === 'daily' ? 'daily' : 'one-time'
    return [{ id, type, systemId: textOf(record['system']), startMs, endMs }] as const
  })
}

/** With it goes whose clocks it means: those of the chosen zone, or of this browser. */
export async function addQuietWindow(
  userId: string,
  { type, systemId, startMs, endMs }: Omit<QuietWindow, 'id'>,
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): Promise<void> {
  await changeSettings(userId, (stored) => ({ ...stored, quietZone: timeZone }))
  await createRecord('quiet_hours', {
    user: userId,
    type,
    system: systemId ?? '',
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
  })
}

export const removeQuietWindow = (id: string): Promise<unknown> => deleteRecord('quiet_hours', id)
