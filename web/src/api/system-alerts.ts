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
  /** True for the user's own rule on the system, which no policy changes. */
  readonly isOwn: boolean
  /** Severity with which the alert rule fires at its threshold. */
  readonly severity: 'warning' | 'critical'
  readonly levels: RuleLevels | undefined
}

/**
 * Further thresholds of an alert rule from a policy. At `warning`, over `warningMinutes`, the rule fires as a warning, before it becomes
 * critical at its threshold. At `clear` a firing alert resolves. All have the unit of the alert kind; an absent one is `undefined`.
 */
export type RuleLevels = {
  readonly warning: number | undefined
  readonly warningMinutes: number | undefined
  readonly clear: number | undefined
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
    const severity = rule['severity'] === 'warning' ? 'warning' : 'critical'
    const isOwn = recordOf(recordOf(rule['sources'])['threshold'])['scope'] === 'own'
    const value = numberOf(rule['threshold'])
    return [{ name, target, value, minutes, isFiring, policy: policyIn(rule), isOwn, severity, levels: levelsIn(rule) }]
  })
}

function levelsIn(rule: JsonRecord): RuleLevels | undefined {
  const [warning, clear] = [numberOf(rule['warning']), numberOf(rule['clear'])]
  if (warning === undefined && clear === undefined) return undefined
  return { warning, warningMinutes: warning === undefined ? undefined : numberOf(rule['warningMinutes']), clear }
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

type QueuedAlert = { readonly systemId: string; readonly name: string; readonly target?: string | undefined }

/**
 * Returns the mutation scope of TanStack Query for changes of one alert on a system, of the user's own rule or a policy. Changes in the
 * same scope are saved one after another, so that the last one wins.
 */
export const alertQueue = ({ systemId, name, target = '' }: QueuedAlert): { readonly id: string } => ({
  id: `alert ${systemId} ${name} ${target}`,
})

export const removeAlert = ({ systems, name, target = '' }: AlertPlace): Promise<unknown> =>
  sendRequest('DELETE', '/api/beszel/user-alerts', { systems, name, target })

/**
 * Removes the signed-in user's own alert rule from several systems, so that policies set the alert there. An active alert continues if a
 * policy sets it. Without an own rule it changes nothing.
 */
export const removeOwnAlert = ({ systems, name, target = '' }: AlertPlace): Promise<unknown> =>
  sendRequest('DELETE', '/api/beszel/user-alerts', { systems, name, target, inherit: true })
