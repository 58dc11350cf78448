import { filterOf, listRecords, sendRequest, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { numberOf, textOf } from './json.ts'

/** Alert rule of the signed-in user on one system. `minutes` is the delay, at least 1. */
export type SystemAlert = {
  readonly name: string
  /** Name of the part that the rule watches; `undefined` for the whole system. */
  readonly target: string | undefined
  readonly value: number | undefined
  readonly minutes: number
  readonly isFiring: boolean
}

/** TanStack Query options for the signed-in user's alert rules on a system. Not cached, so that an opened sheet never shows old rules. */
export const systemAlertsQuery = (systemId: string) =>
  serverQuery(keys.systemAlerts(systemId), (signal) => fetchSystemAlerts(systemId, signal), { staleTime: 0, gcTime: 0 })

async function fetchSystemAlerts(systemId: string, signal: AbortSignal): Promise<readonly SystemAlert[]> {
  // An admin may read the rules of all users.
  const filter = filterOf('system = {:systemId} && user = {:userId}', { systemId, userId: signedInUser()?.id ?? '' })
  const records = await listRecords('alerts', { fields: 'name,target,value,min,triggered', filter }, signal)
  return records.flatMap((record) => {
    const name = textOf(record['name'])
    if (name === undefined) return []
    const minutes = Math.max(1, numberOf(record['min']) ?? 1)
    const isFiring = record['triggered'] === true
    return [{ name, target: textOf(record['target']), value: numberOf(record['value']), minutes, isFiring }]
  })
}

export const alertIn = (alerts: readonly SystemAlert[], name: string, target: string | undefined): SystemAlert | undefined =>
  alerts.find((alert) => alert.name === name && alert.target === target)

/**
 * Fields that identify alert rules, for changing or deleting them. They are ids of systems, API name of the alert kind, and name of the
 * watched part.
 */
type AlertPlace = { readonly systems: readonly string[]; readonly name: string; readonly target?: string | undefined }
export type AlertWish = AlertPlace & { readonly value: number; readonly minutes: number }

/**
 * Creates an alert rule of the signed-in user on several systems. With `overwrite`, existing rules of the same kind are changed; without,
 * they stay.
 */
export const setAlert = ({ systems, name, target = '', value, minutes }: AlertWish, overwrite = true): Promise<unknown> =>
  sendRequest('POST', '/api/beszel/user-alerts', { systems, name, target, value, min: minutes, overwrite })

export const removeAlert = ({ systems, name, target = '' }: AlertPlace): Promise<unknown> =>
  sendRequest('DELETE', '/api/beszel/user-alerts', { systems, name, target })
