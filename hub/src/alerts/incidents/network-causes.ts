import { sql, type Kysely } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { parseJson } from '../../platform/json.ts'
import { viewableIds } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import { downUpstream, upstreamProblem, upstreamsIn, type ConnectedSystem, type UpstreamProblem } from './upstream.ts'

/**
 * Maximum number of systems, 16, that the search for an outage follows from one system to its upstream, that one's upstream and so on. It
 * ignores outages further away.
 */
const MOST_HOPS = 16

/**
 * Parameters of functions that load the network's upstreams: engine, transaction `unit` (none if absent), and `owner`, id of the user whose
 * access counts.
 */
type NetworkReader = { readonly engine: Engine; readonly unit?: UnitOfWork; readonly owner: string }

/** Incident for which a cause is searched: the id of its system and its alert kind (such as `CPU`). */
type Suspect = { readonly system: string; readonly kind: string }

/**
 * Loaded outages that may explain a user's incidents, with two functions to query them. Only systems on which the user's own alert `Status`
 * is pending or firing count as down.
 */
export type NetworkCauses = {
  /**
   * Returns the id of the system whose outage explains an incident: an upstream (direct or further), or its own system unless the alert is
   * `Status`. `undefined` if none does.
   */
  readonly causeOf: (incident: Suspect) => string | undefined
  /**
   * Returns true when the system (by id) is connected through another one (an upstream). That one's outage may be noticed later than its
   * own.
   */
  readonly hasUpstream: (system: string) => boolean
}

/**
 * Loads the outages that may explain a user's incidents. Only tags `behind=NAME` of admins and their tokens count, and only upstreams that
 * the user may view. The user's own alert `Status`, which reports the outage, must be pending or firing.
 */
export async function loadNetworkCauses(reader: NetworkReader, incidents: readonly Suspect[]): Promise<NetworkCauses> {
  const own = await loadSystems(reader, 'id', [...new Set(incidents.map(({ system }) => system))])
  const byName = await loadUpstreams(reader, own)
  const down = await loadDown(reader, [...own, ...[...byName.values()].flat()])
  const byId = new Map(own.map((system) => [system.id, system]))
  const isDown = (system: string): boolean => down.has(system)
  return {
    hasUpstream: (system) => (byId.get(system)?.upstreams.length ?? 0) > 0,
    causeOf({ system, kind }) {
      const found = byId.get(system)
      if (found === undefined) return undefined
      return downUpstream(found, { byName, isDown }) ?? (kind !== 'Status' && isDown(system) ? system : undefined)
    },
  }
}

const sqlOf = ({ engine, unit }: NetworkReader): Kysely<Tables> => unit?.sql ?? engine.database.kysely

/**
 * Name of an upstream (system through which another is connected), with the problem of this name: `unknown` or `circle`. `undefined`: none.
 */
type ListedUpstream = { readonly name: string; readonly problem: UpstreamProblem | undefined }

/**
 * Loads the upstreams of a system (by id), from its tags `behind=NAME` that admins or their tokens set. Each has its problem, such as
 * `unknown` for a name without a system that the user may view.
 */
export async function listUpstreams(reader: NetworkReader, system: string): Promise<readonly ListedUpstream[]> {
  const own = await loadSystems(reader, 'id', [system])
  const byName = await loadUpstreams(reader, own)
  return own.flatMap(({ upstreams }) => upstreams).map((name) => ({ name, problem: upstreamProblem(name, byName) }))
}

type NamedSystem = ConnectedSystem & { readonly name: string }

/**
 * Loads the systems whose column `by` (`id` or `name`) is one of `values`. Each has the names of its upstreams, from tags `behind=NAME`
 * that admins or their tokens set.
 */
async function loadSystems(reader: NetworkReader, by: 'id' | 'name', values: readonly string[]): Promise<readonly NamedSystem[]> {
  if (values.length === 0) return []
  const { rows } = await sql<{ id: string; name: string; tags: string | null }>`
    select id, name, "accessTags" as tags from systems where ${sql.ref(by)} in (${sql.join(values)}) order by id`.execute(sqlOf(reader))
  return rows.map(({ id, name, tags }) => ({ id, name, upstreams: upstreamsIn(tagsIn(tags)) }))
}

/**
 * Parses the column `accessTags` of a system, JSON text, to the list of its tags. Null, `''` and damaged text give an empty list, so that
 * notifications about the system are sent.
 */
function tagsIn(stored: string | null): readonly string[] {
  try {
    return stored === null || stored === '' ? [] : labelsIn(parseJson(stored))
  } catch {
    return []
  }
}

/**
 * Loads the upstreams of systems, their upstreams and so on, up to 16 steps. Resolves to a map from upstream name to the systems with this
 * name (several may share it). The list is empty if the user may view none.
 */
async function loadUpstreams(
  reader: NetworkReader,
  systems: readonly ConnectedSystem[],
): Promise<ReadonlyMap<string, readonly ConnectedSystem[]>> {
  const { engine, unit, owner } = reader
  const byName = new Map<string, readonly ConnectedSystem[]>()
  let below = systems
  for (let hop = 0; hop < MOST_HOPS && below.length > 0; hop++) {
    const names = new Set(below.flatMap(({ upstreams }) => upstreams).filter((name) => !byName.has(name)))
    const found = await loadSystems(reader, 'name', [...names])
    const actor = found.length === 0 ? undefined : await whereReadable(() => engine.store.load('users', owner, unit))
    const visible =
      actor === undefined
        ? new Set<string>()
        : await viewableIds(engine, { actor, collection: 'systems', ids: found.map(({ id }) => id) }, unit)
    below = found.filter(({ id }) => visible.has(id))
    for (const name of names) byName.set(name, [])
    for (const [name, some] of Map.groupBy(below as readonly NamedSystem[], (system) => system.name)) byName.set(name, some)
  }
  return byName
}

/** Resolves to the set of the ids of those of `systems` on which the user's alert `Status` is pending or firing. */
async function loadDown(reader: NetworkReader, systems: readonly ConnectedSystem[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(systems.map(({ id }) => id))]
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ system: string }>`
    select a.system from alerts as a where a."user" = ${reader.owner} and a.name = 'Status' and a.system in (${sql.join(ids)})
    and exists (select 1 from alert_states as s where s.alert = a.id)`.execute(sqlOf(reader))
  return new Set(rows.map(({ system }) => system))
}
