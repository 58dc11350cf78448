import { createRecord, deleteRecord, filterOf, listRecords, readRecordEvent, signedInUser, updateRecord } from './client.ts'
import { numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { keys } from './keys.ts'
import { follow } from './live-connection.ts'
import { liveList } from './live-list.ts'
import { recommendedAlerts } from './recommended-alerts.ts'
import { queryClient, serverQuery } from './server-query.ts'

/** Alert policy of a user: one kind of alert on all systems, on systems with a tag, or on one system. */
export type AlertPolicy = {
  readonly id: string
  /** Tag of the systems to which the policy applies; empty string for a policy about all systems or one system. */
  readonly tag: string
  /** Id of the only system to which the alert policy applies; empty string for a policy about several systems. */
  readonly systemId: string
  /** Name of the alert kind that the policy sets, as in the records API: `CPU`, `Status` and so on. */
  readonly name: string
  /** Name of the part of the system that the policy watches, such as a container; `undefined` for the whole system. */
  readonly target: string | undefined
  /**
   * Values that this policy sets, such as threshold and delay of the alert. A value that is `undefined` here comes from a policy about more
   * systems, or from the default of the alert kind.
   */
  readonly values: PolicyValues
}

/** Severity of an alert, `warning` or `critical`. Notification rules and escalation steps can be limited to one severity. */
export type Severity = 'warning' | 'critical'

/** Values of an alert policy that sets none: each field is `undefined`. Start value of the form for a new policy. */
export const noPolicyValues: PolicyValues = {
  off: undefined,
  threshold: undefined,
  minutes: undefined,
  clear: undefined,
  warning: undefined,
  warningMinutes: undefined,
  severity: undefined,
}

/**
 * Values that an alert policy sets. `off`: true turns the alert off. `threshold` has the unit of its kind, `minutes` is the delay from 1 to
 * 60. `clear` is the threshold at which a firing alert resolves. At `warning`, over `warningMinutes`, the alert fires as a warning, before
 * it becomes critical. `severity` is that of an alert with one threshold or none. A value that it does not set is `undefined`.
 */
export type PolicyValues = {
  readonly off: boolean | undefined
  readonly threshold: number | undefined
  readonly minutes: number | undefined
  readonly clear: number | undefined
  readonly warning: number | undefined
  readonly warningMinutes: number | undefined
  readonly severity: Severity | undefined
}

function readPolicy(record: JsonRecord): AlertPolicy {
  const { off, threshold, minutes, clear, warning, warningMinutes, severity } = recordOf(record['values'])
  return {
    id: textOf(record['id']) ?? '',
    tag: textOf(record['tag']) ?? '',
    systemId: textOf(record['system']) ?? '',
    name: textOf(record['name']) ?? '',
    target: textOf(record['target']) === '' ? undefined : textOf(record['target']),
    values: {
      off: typeof off === 'boolean' ? off : undefined,
      threshold: numberOf(threshold),
      minutes: numberOf(minutes),
      clear: numberOf(clear),
      warning: numberOf(warning),
      warningMinutes: numberOf(warningMinutes),
      severity: severity === 'warning' || severity === 'critical' ? severity : undefined,
    },
  }
}

/** Live list of the signed-in user's own alert policies, which realtime events keep up to date. */
export const policiesList = liveList<AlertPolicy>(keys.alertPolicies, async (signal) => {
  const filter = filterOf('user = {:userId}', { userId: signedInUser()?.id ?? '' })
  return (await listRecords('alert_policies', { filter }, signal)).map(readPolicy)
})

/** Range and alert kind of the policy of the signed-in user for one system, `target` being the watched part, if any. */
type PolicyPlace = { readonly systemId: string; readonly name: string; readonly target: string | undefined }

/**
 * TanStack Query options for the signed-in user's alert policy for one system, alert kind and part. The data is a list with this policy;
 * empty if there is none. It is fetched each time a dialog shows it.
 */
export const systemPolicyQuery = ({ systemId, name, target }: PolicyPlace) =>
  serverQuery(
    // Begins with the key of the system's alerts, so that a change of policies marks it as stale.
    [...keys.systemAlerts(systemId), name, target ?? ''],
    async (signal) => {
      const values = { userId: signedInUser()?.id ?? '', systemId, name, target: target ?? '' }
      const filter = filterOf('user = {:userId} && system = {:systemId} && name = {:name} && target = {:target}', values)
      return (await listRecords('alert_policies', { filter }, signal)).map(readPolicy)
    },
    { staleTime: 0, gcTime: 0 },
  )

/**
 * Subscribes to realtime events of the user's own alert policies while a page shows them. Returns the function that ends the subscription.
 */
export const followPolicies = (): (() => void) =>
  follow({
    topics: ['alert_policies/*'],
    onEvent(_, data) {
      const { action, record } = readRecordEvent(data)
      // An admin receives events of all users' policies.
      if (record['user'] !== signedInUser()?.id) return
      policiesList.apply(action, readPolicy(record))
    },
    onConnect: () => policiesList.renew(),
  })

/**
 * Marks the cached lists that alert policies change (policies, alerts of all systems) as stale, so that they are fetched again. Needed
 * after this page's own change while no realtime connection reports changes.
 */
async function refetch(): Promise<void> {
  await Promise.all([keys.alertPolicies, keys.allSystemAlerts].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/**
 * Saves an alert policy at the hub: as a new one, or with an `id` in place of the policy with this id. Resolves to the policy's id. Rejects
 * with RequestFailed when the hub refuses it.
 */
export async function savePolicy(
  { tag, systemId, name, target = '', values }: Omit<AlertPolicy, 'id'>,
  id: string | undefined,
): Promise<string | undefined> {
  const body = { tag, system: systemId, name, target, values: { ...values } }
  const record = await (id === undefined
    ? createRecord('alert_policies', { ...body, user: signedInUser()?.id ?? '' })
    : updateRecord('alert_policies', id, body))
  await refetch()
  return textOf(record['id'])
}

export async function deletePolicy({ id }: AlertPolicy): Promise<void> {
  await deleteRecord('alert_policies', id)
  await refetch()
}

/**
 * Creates an alert policy for all systems, also for those that are added later, for each recommended alert, one after another. If the hub
 * refuses one, it rejects with RequestFailed; those created before stay.
 */
export async function recommendPolicies(): Promise<void> {
  try {
    for (const { name, value, minutes } of recommendedAlerts) {
      const values = { off: false, threshold: value === 0 ? undefined : value, minutes }
      await createRecord('alert_policies', { user: signedInUser()?.id ?? '', name, values })
    }
  } finally {
    // Some may be created even when others failed.
    await refetch()
  }
}
