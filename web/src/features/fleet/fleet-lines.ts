import type { System } from '../../api/system-record.ts'

/**
 * Group of systems that have the same tag, or the same value of a tag key. `name` is that tag or value; `undefined` for the group of
 * systems without such a tag.
 */
export type FleetGroup = { readonly name: string | undefined; readonly systems: readonly System[] }

/** Heading of a group in the list of systems. `key` is its React key; `isOpen` is false while the group is collapsed. */
export type GroupLine = { readonly kind: 'group'; readonly key: string; readonly group: FleetGroup; readonly isOpen: boolean }

/** Line of the list of systems: one system, or the heading of a group of systems. `key` is its React key. */
export type FleetLine = { readonly kind: 'system'; readonly key: string; readonly system: System } | GroupLine

/** Returns the lines for the list of systems when it is not grouped: one for each system. */
export const flatLines = (systems: readonly System[]): readonly FleetLine[] =>
  systems.map((system) => ({ kind: 'system', key: system.id, system }))
