import type { AlertPolicy } from '../../api/alert-policies.ts'
import type { AlertRule } from '../../api/alert-record.ts'
import type { System } from '../../api/system-record.ts'
import { mayGiveAccess } from '../../api/system-tags.ts'

type Watched = Pick<System, 'id' | 'tags'>

/**
 * Result of checking which systems have alerts: `unwatched` systems without any, and `counts` by alert kind. A system has an alert by the
 * user's rule on that system or by an alert policy.
 */
export type Coverage<S extends Watched> = {
  /** List of the systems on which no alert is on, neither by a rule of the user nor by a policy. */
  readonly unwatched: readonly S[]
  /**
   * Map from the API name of an alert kind, such as `CPU`, to the number of systems with an alert of that kind. Kinds without a system are
   * absent.
   */
  readonly counts: ReadonlyMap<string, number>
}

/**
 * Returns the systems without any alert, and the number of systems for each alert kind. `rules` are the user's own alert rules on single
 * systems, `policies` the user's alert policies: for all systems, for a tag, or for one system.
 */
export function coverageOf<S extends Watched>(
  systems: readonly S[],
  rules: readonly Pick<AlertRule, 'name' | 'systemId'>[],
  policies: readonly AlertPolicy[],
): Coverage<S> {
  const own = Map.groupBy(rules, ({ systemId }) => systemId)
  const groups = [...Map.groupBy(policies, ({ name, target }) => JSON.stringify([name, target])).values()]
  const counts = new Map<string, number>()
  const unwatched = systems.filter((system) => {
    const byPolicy = groups.flatMap((group) => (isWatched(system, group) ? (group[0]?.name ?? []) : []))
    const names = new Set([...(own.get(system.id) ?? []).map(({ name }) => name), ...byPolicy])
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    return names.size === 0
  })
  return { unwatched, counts }
}

/**
 * Returns true when `policies`, all of one alert, turn this alert on for a system. The nearest policy that decides this counts: that for
 * the system, then those for its trusted tags in alphabetical order, then that for all systems. If none of them decides it, the alert is
 * on. Without a policy that applies, the alert is off.
 */
function isWatched({ id, tags }: Watched, policies: readonly AlertPolicy[]): boolean {
  const trusted = tags.filter(mayGiveAccess).map(({ text }) => text)
  const nearest = [
    ...policies.filter(({ systemId }) => systemId === id),
    ...policies.filter(({ tag, systemId }) => systemId === '' && trusted.includes(tag)).toSorted((a, b) => (a.tag < b.tag ? -1 : 1)),
    ...policies.filter(({ tag, systemId }) => systemId === '' && tag === ''),
  ]
  return nearest.length > 0 && nearest.find(({ values }) => values.off !== undefined)?.values.off !== true
}
