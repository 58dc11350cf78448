import { sendRequest } from './client.ts'
import { readAcknowledgement, type Acknowledgement } from './incidents.ts'
import { numberOf, recordOf, textOf } from './json.ts'
import { unreadable } from './request-failed.ts'
import { queryClient, serverQuery } from './server-query.ts'

/** Alert of the message whose link a user opened. Times in epoch ms; `endedMs` is `undefined` while it fires. */
export type LinkedAlert = {
  readonly systemName: string
  /** Name of the kind of alert in the records API, such as `CPU`. */
  readonly name: string
  readonly target: string | undefined
  readonly beganMs: number
  readonly endedMs: number | undefined
  readonly acknowledgement: Acknowledgement | undefined
}

const PATH = '/api/vedette/acknowledgement'

/** Returns the TanStack Query key of a linked alert. It is not in `keys`, to keep the first files of the dashboard small. */
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

/** TanStack Query options for the alert of the link's token. It fails with RequestFailed of status 404 if the link is not valid. */
export const linkedAlertQuery = (token: string) => serverQuery(keyOf(token), (signal) => fetchLinkedAlert(token, signal))

/** Values that a user of a link sends. `name` is the typed name; `note` may be empty. `undefined` minutes: no more reminders. */
export type LinkedAcknowledgement = { readonly name: string; readonly note: string; readonly snoozeMinutes: number | undefined }

/** Acknowledges or snoozes the alert of the link's token. Rejects with RequestFailed, of status 409 if the alert is over. */
export async function acknowledgeLinked(token: string, { name, note, snoozeMinutes }: LinkedAcknowledgement): Promise<void> {
  try {
    await sendRequest('POST', PATH, { token, name, note, ...(snoozeMinutes === undefined ? {} : { snoozeMinutes }) })
  } finally {
    await queryClient.invalidateQueries({ queryKey: keyOf(token) })
  }
}
