import { filterOf, getJson, listRecords, sendRequest, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'

/**
 * Alert rule in force for the signed-in user on one system, from the user's own rules or a policy. `value` is the threshold, 0 for a kind
 * without one; `minutes` is the delay, at least 1. Rules that a policy has turned off are left out.
 */
export type SystemAlert = {
  readonly name: string
  /** Name of the part of the system that the alert rule watches, such as a container; `undefined` for the whole system. */
  readonly target: string | undefined
  readonly value: number | undefined
  readonly minutes: number
  readonly isFiring: boolean
  /**
   * Range of systems of the alert policy that sets the rule's threshold. If none does, it is the policy that sets the delay, or else the
   * one that turns the rule on. `undefined` for the user's own rule.
   */
  readonly policy: PolicyRange | undefined
}

/** Range of systems to which an alert policy of the signed-in user applies: all systems, those with a tag, or one system. */
export type PolicyRange = { readonly scope: 'everything' | 'system' } | { readonly scope: 'tag'; readonly tag: string }

/**
 * TanStack Query options for the list of alert rules in force for the signed-in user on a system. They are fetched each time the alert
 * sheet opens, so that it never shows old rules.
 */
export const systemAlertsQuery = (systemId: string) =>
  serverQuery(keys.systemAlerts(systemId), (signal) => fetchSystemAlerts(systemId, signal), { staleTime: 0, gcTime: 0 })

async function fetchSystemAlerts(systemId: string, signal: AbortSignal): Promise<readonly SystemAlert[]> {
  // An admin may read the rules of all users.
  const filter = filterOf('system = {:systemId} && user = {:userId} && triggered = true', { systemId, userId: signedInUser()?.id ?? '' })
  const [rules, firing] = await Promise.all([
    getJson(`/api/vedette/systems/${encodeURIComponent(systemId)}/alert-rules`, signal),
    listRecords('alerts', { fields: 'name,target', filter }, signal),
  ])
  return listOf(recordOf(rules)['items']).flatMap((item) => {
    const rule = recordOf(item)
    const [name, target] = [textOf(rule['name']), textOf(rule['target'])]
    if (name === undefined || rule['off'] === true) return []
    const isFiring = firing.some((record) => textOf(record['name']) === name && textOf(record['target']) === target)
    const minutes = Math.max(1, numberOf(rule['minutes']) ?? 1)
    return [{ name, target, value: numberOf(rule['threshold']), minutes, isFiring, policy: policyIn(rule) }]
  })
}

function policyIn(rule: JsonRecord): PolicyRange | undefined {
  const { threshold, minutes, off } = recordOf(rule['sources'])
  for (const source of [threshold, minutes, off]) {
    const { scope, of } = recordOf(source)
    if (scope === 'tag') return { scope, tag: textOf(of) ?? '' }
    if (scope === 'everything' || scope === 'system') return { scope }
  }
  return undefined
}

export const alertIn = (alerts: readonly SystemAlert[], name: string, target: string | undefined): SystemAlert | undefined =>
  alerts.find((alert) => alert.name === name && alert.target === target)

/**
 * Fields that select the signed-in user's alert rules to change or delete. They are the ids of the systems and the API name of the alert
 * kind. `target` is the watched part of each system, `undefined` for the whole system.
 */
type AlertPlace = { readonly systems: readonly string[]; readonly name: string; readonly target?: string | undefined }
export type AlertWish = AlertPlace & { readonly value: number; readonly minutes: number }

/**
 * Creates one alert rule of the signed-in user on each of several systems. Where a system already has a rule of this kind and part, it is
 * changed only with `overwrite` (true by default).
 */
export const setAlert = ({ systems, name, target = '', value, minutes }: AlertWish, overwrite = true): Promise<unknown> =>
  sendRequest('POST', '/api/beszel/user-alerts', { systems, name, target, value, min: minutes, overwrite })

export const removeAlert = ({ systems, name, target = '' }: AlertPlace): Promise<unknown> =>
  sendRequest('DELETE', '/api/beszel/user-alerts', { systems, name, target })
