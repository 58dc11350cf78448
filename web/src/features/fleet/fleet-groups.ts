import { countHealths, type HealthCounts } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import { keyOfTag, valueOfTag } from '../../api/system-tags.ts'
import { compareNames } from '../../format/compare.ts'
import type { FleetGroup, FleetLine } from './fleet-lines.ts'
import type { FleetGrouping } from './grouping.ts'

/** Returns the keys of the tags of the form `key=value` that the systems have, the most frequent first. */
export function tagKeys(systems: readonly System[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { tags } of systems)
    for (const { text } of tags) {
      const key = keyOfTag(text)
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts].toSorted(([a, aCount], [b, bCount]) => bCount - aCount || compareNames(a, b)).map(([key]) => key)
}

/**
 * Returns the groups of the systems for a grouping (by a tag key or by each tag), sorted by name. Systems without such a tag form the last
 * group; a system with several is in several groups. Within a group, systems keep their order.
 */
export function groupSystems(systems: readonly System[], grouping: FleetGrouping): readonly FleetGroup[] {
  const groups = new Map<string, System[]>()
  const rest: System[] = []
  for (const system of systems) {
    let isAlone = true
    for (const { text } of system.tags) {
      const name = groupName(text, grouping)
      if (name === undefined) continue
      isAlone = false
      const members = groups.get(name)
      if (members === undefined) groups.set(name, [system])
      else members.push(system)
    }
    if (isAlone) rest.push(system)
  }
  const named = [...groups].map(([name, members]): FleetGroup => ({ name, systems: members }))
  const sorted = named.toSorted((a, b) => compareNames(a.name ?? '', b.name ?? ''))
  return rest.length === 0 ? sorted : [...sorted, { name: undefined, systems: rest }]
}

/**
 * Returns the name of the group that a tag puts a system into. It is the tag, or its value when systems are grouped by its key: `prod` for
 * `env=prod`. `undefined` if the tag forms no group.
 */
function groupName(tag: string, grouping: FleetGrouping): string | undefined {
  if (grouping.kind === 'anyTag') return tag
  return grouping.kind === 'key' && keyOfTag(tag) === grouping.key ? valueOfTag(tag) : undefined
}

/**
 * Returns the lines of the grouped list of systems: the heading of each group, and the group's systems unless `isFolded` returns true for
 * its name.
 */
export function groupedLines(groups: readonly FleetGroup[], isFolded: (name: string | undefined) => boolean): readonly FleetLine[] {
  const lines: FleetLine[] = []
  for (const group of groups) {
    // The space keeps the key apart from the ids of systems.
    const key = group.name === undefined ? ' others' : ` group ${group.name}`
    const isOpen = !isFolded(group.name)
    lines.push({ kind: 'group', key, group, isOpen })
    if (isOpen) for (const system of group.systems) lines.push({ kind: 'system', key: system.id + key, system })
  }
  return lines
}

/**
 * Firing alerts of the signed-in user: `counts` maps a system's id to their number. `isPart` is true when the hub returned 500, the maximum
 * of one request, so that there may be more.
 */
export type FiringCounts = { readonly counts: ReadonlyMap<string, number>; readonly isPart: boolean }

/**
 * State of the systems in one group: their number in each health state, and the number of the signed-in user's firing alerts. `firing` is
 * `undefined` when that is unknown.
 */
export type GroupState = { readonly counts: HealthCounts; readonly firing: number | undefined; readonly isFiringPart: boolean }

/**
 * Returns the state of a group of systems at the time `now` (epoch ms): numbers by health state, and of firing alerts. `firing` is
 * `undefined` when the alerts could not be fetched.
 */
export const groupState = ({ systems }: FleetGroup, firing: FiringCounts | undefined, now: number): GroupState => ({
  counts: countHealths(systems, now),
  firing: firing && systems.reduce((total, { id }) => total + (firing.counts.get(id) ?? 0), 0),
  isFiringPart: firing?.isPart === true,
})
