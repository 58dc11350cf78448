import { sendRequest } from './client.ts'
import { readAcknowledgement, type Acknowledgement } from './incidents.ts'
import { numberOf, recordOf, textOf } from './json.ts'
import { unreadable } from './request-failed.ts'
import { queryClient, serverQuery } from './server-query.ts'

/**
 * Alert (firing period) that a user opened by the acknowledge link in a message, without signing in. Times in epoch ms; `endedMs` is
 * `undefined` while it fires.
 */
export type LinkedAlert = {
  readonly systemName: string
  /** Name of the alert's kind in the records API, such as `CPU`. */
  readonly name: string
  readonly target: string | undefined
  readonly beganMs: number
  readonly endedMs: number | undefined
  readonly acknowledgement: Acknowledgement | undefined
}

const PATH = '/api/vedette/acknowledgement'

/**
 * Returns the TanStack Query key for the alert of an acknowledge link. It is not part of the object `keys`, to keep the first files of the
 * dashboard small.
 */
const keyOf = (token: string) => ['linked-alert', token]

async function fetchLinkedAlert(token: string, signal: AbortSignal): Promise<LinkedAlert> {
  const record = recordOf(await sendRequest('POST', `${PATH}/view`, { token }, { signal }))
  const [systemName, beganMs] = [textOf(record['systemName']), numberOf(record['began'])]
  if (systemName === undefined || beganMs === undefined) throw unreadable()
  return {
    systemName,
    name: textOf(record['name']) ?? '',
    target: textOf(record['target']),
    beganMs,
    endedMs: numberOf(record['ended']),
    acknowledgement: readAcknowledgement(record),
  }
}

/**
 * TanStack Query options that load the alert for the secret token of an acknowledge link in a message. Fails with RequestFailed of status
 * 404 if the link is not valid.
 */
export const linkedAlertQuery = (token: string) => serverQuery(keyOf(token), (signal) => fetchLinkedAlert(token, signal))

/**
 * Form values of the page that an acknowledge link opens. `name` is the name that the person typed; `note` may be empty. `undefined`
 * minutes: no more reminders.
 */
export type LinkedAcknowledgement = { readonly name: string; readonly note: string; readonly snoozeMinutes: number | undefined }

/**
 * Acknowledges or snoozes the alert to which the secret token of an acknowledge link belongs. Rejects with RequestFailed, with status 409
 * if the alert has ended.
 */
export async function acknowledgeLinked(token: string, { name, note, snoozeMinutes }: LinkedAcknowledgement): Promise<void> {
  try {
    await sendRequest('POST', PATH, { token, name, note, ...(snoozeMinutes === undefined ? {} : { snoozeMinutes }) })
  } finally {
    await queryClient.invalidateQueries({ queryKey: keyOf(token) })
  }
}
