import type { System } from '../../api/system-record.ts'

/** Group of systems with one tag, or one value of a key. `name` is `undefined` for the group of systems without such a tag. */
export type FleetGroup = { readonly name: string | undefined; readonly systems: readonly System[] }

/** Heading of a group in the list of systems. `isOpen` is false while its systems are collapsed. */
export type GroupLine = { readonly kind: 'group'; readonly key: string; readonly group: FleetGroup; readonly isOpen: boolean }

/** Line of the list of systems: a system, or the heading of a group. `key` is its React key. */
export type FleetLine = { readonly kind: 'system'; readonly key: string; readonly system: System } | GroupLine

/** Returns the lines of a list of systems without groups. */
export const flatLines = (systems: readonly System[]): readonly FleetLine[] =>
  systems.map((system) => ({ kind: 'system', key: system.id, system }))
