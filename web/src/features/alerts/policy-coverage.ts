import type { AlertPolicy } from '../../api/alert-policies.ts'
import type { AlertRule } from '../../api/alert-record.ts'
import type { System } from '../../api/system-record.ts'
import { mayGiveAccess } from '../../api/system-tags.ts'

type Watched = Pick<System, 'id' | 'tags'>

/** Systems that alerts watch: by rules of their own, and by policies. */
export type Coverage<S extends Watched> = {
  /** Systems without any alert. */
  readonly unwatched: readonly S[]
  /** Number of systems with an alert of a kind, by the API name of the kind. Kinds without a system are absent. */
  readonly counts: ReadonlyMap<string, number>
}

/** Returns which of the systems the user's own alert rules and policies watch. */
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
 * Returns true when policies of one alert turn it on for a system. The nearest policy that decides this counts: that for the system, then
 * those for its tags in alphabetical order, then that for all systems.
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
