import { infiniteQueryOptions } from '@tanstack/react-query'
import { getJson, sendRequest } from './client.ts'
import { keys } from './keys.ts'
import { queryClient, serverQuery } from './server-query.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'

/**
 * Incident: one period in which an alert was firing. `threshold` (0 for a kind without one) and `minutes` are those of its rule. `value` is
 * the measured value, `undefined` if unknown. Times are epoch ms; `endedMs` is `undefined` while it fires.
 */
export type Incident = {
  readonly id: string
  readonly system: string
  readonly systemName: string
  readonly name: string
  readonly target: string | undefined
  readonly threshold: number
  readonly minutes: number
  readonly value: number | undefined
  readonly beganMs: number
  readonly endedMs: number | undefined
  /** True when the incident (firing period of an alert) is or was only a warning; false when it is or became critical. */
  readonly isWarning: boolean
  /**
   * True when the incident (firing period) ended without a recovery, such as when the alert was changed or deleted, or its system was
   * paused.
   */
  readonly isClosed: boolean
  /** True when an outage explains the incident, such as of a router before the system, so that no notification was sent about it. */
  readonly isSilenced: boolean
  /** Name of the system whose outage explains a silenced incident; `undefined` if the user may not view it, or nothing is silenced. */
  readonly cause: string | undefined
  /**
   * Names of the people to whom the alert was escalated because nobody acknowledged it. An `undefined` item stands for further channels of
   * the alert's owner.
   */
  readonly escalated: readonly (string | undefined)[]
  /**
   * Name of the alert's owner if the incident was escalated to this user; empty string for an owner without a name. `undefined` for the
   * user's own alerts.
   */
  readonly ownerName: string | undefined
  /** Acknowledgement of the incident; `undefined` if nobody has acknowledged it, or if its snooze is over. */
  readonly acknowledgement: Acknowledgement | undefined
}

/** Acknowledgement of an incident: name of the person (empty string if it is hidden from this user), note (empty string for none), and end of the snooze (epoch ms; none if absent). */
export type Acknowledgement = { readonly by: string; readonly note: string; readonly snoozedUntilMs: number | undefined }

export type IncidentQuery = {
  readonly state?: 'firing' | 'over'
  readonly search?: string
  readonly after?: string
  readonly limit?: number
  readonly system?: string
  /**
   * Time range in epoch ms: only incidents (firing periods of alerts) that overlap it are returned. `toMs` undefined = until now. Absent:
   * incidents of any time.
   */
  readonly window?: { readonly fromMs: number; readonly toMs: number | undefined }
}
export type IncidentPage = { readonly items: readonly Incident[]; readonly hasMore: boolean }

export async function fetchIncidents({ window, ...asked }: IncidentQuery, signal: AbortSignal): Promise<IncidentPage> {
  const given = { ...asked, from: window && Math.round(window.fromMs), to: window?.toMs && Math.round(window.toMs) }
  const query = new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
  )
  const answer = recordOf(await getJson(`/api/vedette/incidents?${query.toString()}`, signal))
  return { items: listOf(answer['items']).flatMap(readIncident), hasMore: answer['hasMore'] === true }
}

function readIncident(item: unknown): Incident[] {
  const record = recordOf(item)
  const [id, system, beganMs] = [textOf(record['id']), textOf(record['system']), numberOf(record['began'])]
  if (id === undefined || system === undefined || beganMs === undefined) return []
  return [
    {
      id,
      system,
      systemName: textOf(record['systemName']) ?? '',
      name: textOf(record['name']) ?? '',
      target: textOf(record['target']),
      threshold: numberOf(record['threshold']) ?? 0,
      minutes: numberOf(record['minutes']) ?? 1,
      value: numberOf(record['value']),
      beganMs,
      endedMs: numberOf(record['ended']),
      isWarning: record['severity'] === 'warning',
      isClosed: record['ending'] === 'closed',
      escalated: listOf(record['escalated']).map(textOf),
      ownerName: record['ownerName'] === '' ? '' : textOf(record['ownerName']),
      isSilenced: record['silenced'] === true,
      cause: textOf(record['cause']),
      acknowledgement: readAcknowledgement(record),
    },
  ]
}

/**
 * Reads the acknowledgement in the hub's description of an incident. `undefined` if nobody has acknowledged it, or if its snooze is over.
 */
export function readAcknowledgement({ acknowledged, acknowledger, note, snoozed }: JsonRecord): Acknowledgement | undefined {
  if (numberOf(acknowledged) === undefined) return undefined
  return { by: textOf(acknowledger) ?? '', note: textOf(note) ?? '', snoozedUntilMs: numberOf(snoozed) }
}

/**
 * Acknowledges an incident (firing period of an alert), which ends its reminders. With `snoozeMinutes` they begin again after these
 * minutes. Rejects with RequestFailed, such as when the incident has ended.
 */
export async function acknowledgeIncident(id: string, note: string, snoozeMinutes: number | undefined): Promise<void> {
  const body = { note, ...(snoozeMinutes === undefined ? {} : { snoozeMinutes }) }
  try {
    await sendRequest('POST', `/api/vedette/incidents/${encodeURIComponent(id)}/acknowledge`, body)
  } finally {
    await queryClient.invalidateQueries({ queryKey: keys.allIncidents })
  }
}

/** Maximum number of firing alerts, 500, that the dashboard requests from the hub. With 500 in the response, there may be more. */
export const MOST_FIRING = 500

/** TanStack Query options for the list of the user's alerts that are firing now (at most 500), each with start and value. */
export const firingQuery = serverQuery(
  keys.firingIncidents,
  async (signal) => (await fetchIncidents({ state: 'firing', limit: MOST_FIRING }, signal)).items,
)

/**
 * TanStack Query options for the user's past incidents (firing periods of alerts), newest first, page by page (infinite query). `search`
 * limits them to incidents with the text in the name of system, alert kind or target; empty = all.
 */
export const pastIncidentsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: keys.pastIncidents(search),
    queryFn: ({ pageParam, signal }) =>
      fetchIncidents({ state: 'over', search, ...(pageParam === undefined ? {} : { after: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined, // the first page has no beginning
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
  })

/**
 * Alert of a system that fires often. `alert` is the id of its rule, `count` its number of incidents (firing periods) in the last 30 days.
 * The hub lists the 10 alerts with most incidents.
 */
export type NoisyAlert = {
  readonly alert: string
  readonly systemName: string
  readonly name: string
  readonly target: string | undefined
  readonly count: number
}

async function fetchNoisy(signal: AbortSignal): Promise<readonly NoisyAlert[]> {
  return listOf(recordOf(await getJson('/api/vedette/incidents/noisy', signal))['items']).flatMap((item) => {
    const record = recordOf(item)
    const [alert, count] = [textOf(record['alert']), numberOf(record['count'])]
    if (alert === undefined || count === undefined) return []
    const [name, systemName] = [textOf(record['name']) ?? '', textOf(record['systemName']) ?? '']
    return [{ alert, count, systemName, name, target: textOf(record['target']) }]
  })
}

export const noisyAlertsQuery = serverQuery(keys.noisyAlerts, fetchNoisy)
