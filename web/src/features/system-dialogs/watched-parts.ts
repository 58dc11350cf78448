import { alertKind, type PartKind } from '../../api/alert-kinds.ts'
import type { SystemAlert } from '../../api/system-alerts.ts'

/** Part of a system that alert rules can watch: its kind (container, service, filesystem, interface) and its name. */
export type WatchedPart = { readonly kind: PartKind; readonly target: string }

export const samePart = (one: WatchedPart, other: WatchedPart): boolean => one.kind === other.kind && one.target === other.target

/**
 * Returns the parts of a system (such as containers) to list in the alert sheet, each once. First come those with alert rules, sorted by
 * kind and name, then those that the user has just selected.
 */
export function partsIn(alerts: readonly Pick<SystemAlert, 'name' | 'target'>[], chosen: readonly WatchedPart[]): readonly WatchedPart[] {
  const watched = alerts.flatMap(({ name, target }): WatchedPart[] => {
    const kind = alertKind(name)?.part
    return kind === undefined || target === undefined ? [] : [{ kind, target }]
  })
  const sorted = watched.toSorted((a, b) => (`${a.kind} ${a.target}` < `${b.kind} ${b.target}` ? -1 : 1))
  return [...sorted, ...chosen].filter((part, at, all) => all.findIndex((one) => samePart(one, part)) === at)
}
