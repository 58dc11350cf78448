/**
 * Start, `behind=`, of a system's tag such as `behind=router-1`. The rest of the tag is the name of the system through which it is
 * connected.
 */
const PREFIX = 'behind='

/** System as part of the network: its id, and the names of the systems through which it is connected to the hub (its upstreams). */
export type ConnectedSystem = { readonly id: string; readonly upstreams: readonly string[] }

/** Returns the names of the upstreams that a system's tags set: `router-1` for the tag `behind=router-1`. */
export const upstreamsIn = (tags: readonly string[]): readonly string[] =>
  tags.flatMap((tag) => (tag.startsWith(PREFIX) && tag.length > PREFIX.length ? [tag.slice(PREFIX.length)] : []))

/**
 * Input of the search for a cause. `byName` maps a name to the systems with that name; `isDown` returns true when a system (by id) is down.
 */
export type Network = {
  readonly byName: ReadonlyMap<string, readonly ConnectedSystem[]>
  readonly isDown: (system: string) => boolean
}

/**
 * Result of the search for the outage that cuts off a system. `{ down }` has the id of the system that is down. `none`: there is none.
 * `circle`: systems are behind each other.
 */
type Cause = { readonly down: string } | 'none' | 'circle'

/**
 * Returns the id of the system that cuts off `system`, else `undefined`. Several upstreams are alternative ways to the hub, so all direct
 * ones must be down. The cause is the first of them, or the system that cuts that one off in turn. A direct upstream with an unknown name
 * or a circle of systems also gives `undefined`.
 */
export function downUpstream(system: ConnectedSystem, { byName, isDown }: Network): string | undefined {
  const found = new Map<string, Cause | 'searching'>()

  function search(one: ConnectedSystem): Cause {
    const known = found.get(one.id)
    if (known !== undefined) return known === 'searching' ? 'circle' : known
    found.set(one.id, 'searching')
    const cause = searchAbove(one)
    found.set(one.id, cause)
    return cause
  }

  function searchAbove({ upstreams }: ConnectedSystem): Cause {
    const above = upstreams.map((name) => byName.get(name) ?? [])
    if (above.some((some) => some.length === 0) || !above.flat().every(({ id }) => isDown(id))) return 'none'
    let first: Cause = 'none'
    for (const upstream of above.flat()) {
      const cause = search(upstream)
      if (cause === 'circle') return cause
      if (first === 'none') first = cause === 'none' ? { down: upstream.id } : cause
    }
    return first
  }

  const cause = search(system)
  return typeof cause === 'string' ? undefined : cause.down
}

/**
 * Problems of the name in a tag `behind=NAME`, so that outages of that system explain no alerts. `unknown`: the user may view no system
 * with the name. `circle`: systems are behind each other.
 */
export const upstreamProblems = ['unknown', 'circle'] as const
export type UpstreamProblem = (typeof upstreamProblems)[number]

/**
 * Returns the problem with the upstream `name` of a system: no system has that name, or the way through it leads into a circle.
 * `undefined`: none.
 */
export function upstreamProblem(name: string, byName: Network['byName']): UpstreamProblem | undefined {
  const first = byName.get(name) ?? []
  if (first.length === 0) return 'unknown'
  const onWay = new Set<string>()
  const isDone = new Set<string>()

  function isCircular({ id, upstreams }: ConnectedSystem): boolean {
    if (onWay.has(id)) return true
    if (isDone.has(id)) return false
    onWay.add(id)
    const found = upstreams.some((one) => (byName.get(one) ?? []).some(isCircular))
    onWay.delete(id)
    isDone.add(id)
    return found
  }

  return first.some(isCircular) ? 'circle' : undefined
}
