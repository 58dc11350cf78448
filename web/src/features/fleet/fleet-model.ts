import type { ReactNode } from 'react'
import { compareNames, compareValues } from '../../format/compare.ts'
import type { AgedFamily } from '@vedette/protocol/metrics/sample'
import type { SystemInfo } from '@vedette/protocol/wire/info-json'
import type { AlertRule } from '../../api/alert-record.ts'
import { healthOf, type SystemHealth } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import type { NumberFormats } from '../../format/formats.ts'
import { ageText } from './age-text.ts'
import type { FleetLine, GroupLine } from './fleet-lines.ts'
import type { OpenRowDialog } from './row-dialog.ts'

export type ColumnId = 'system' | 'tags' | 'cpu' | 'memory' | 'disk' | 'load' | 'network' | 'temperature' | 'uptime' | 'agent'

/**
 * Object from column id of the systems table, such as `cpu`, to a function. It returns the value by which that column sorts a system;
 * `undefined` if unknown.
 */
const sortValues: Readonly<Record<ColumnId, (system: System) => string | number | undefined>> = {
  system: ({ name }) => name,
  tags: ({ tags }) => (tags.length === 0 ? undefined : tags.map(({ text }) => text).join(', ')),
  cpu: ({ latest }) => latest.cpuPercent,
  memory: ({ latest }) => latest.memoryPercent,
  disk: ({ latest }) => latest.diskPercent,
  load: ({ latest }) => latest.loads?.[0],
  network: ({ latest }) => latest.networkBytesPerSecond,
  temperature: ({ latest }) => latest.temperatureCelsius,
  uptime: ({ latest }) => latest.uptimeSeconds,
  agent: ({ latest }) => latest.agentVersion,
}

const columnIds: readonly ColumnId[] = ['system', 'tags', 'cpu', 'memory', 'disk', 'load', 'network', 'temperature', 'uptime', 'agent']

/**
 * Sort order of the systems table: id of the column, and direction. Without a sort order, systems with problems come first, then by name.
 */
export type Sort = { readonly column: ColumnId; readonly descending: boolean }

/** Parses a sort order from the URL: `cpu` ascending, `-cpu` descending. `undefined` for anything else. */
export function parseSort(text: string | null | undefined): Sort | undefined {
  const descending = text?.startsWith('-') ?? false
  const column = columnIds.find((id) => id === (descending ? text?.slice(1) : text))
  return column === undefined ? undefined : { column, descending }
}

export const sortText = (sort: Sort | undefined): string => (sort === undefined ? '' : `${sort.descending ? '-' : ''}${sort.column}`)

/**
 * Returns the sort order of the systems table after a press on the header of `column`. Presses cycle through first direction, other
 * direction, and none (`undefined`). Numbers start descending, texts ascending.
 */
export function nextSort(current: Sort | undefined, column: ColumnId): Sort | undefined {
  const startsDescending = column !== 'system' && column !== 'tags' && column !== 'agent'
  if (current?.column !== column) return { column, descending: startsDescending }
  return current.descending === startsDescending ? { column, descending: !startsDescending } : undefined
}

const urgency: Readonly<Record<SystemHealth, number>> = { down: 0, stale: 1, pending: 2, up: 3, paused: 3 }

const byName = (a: System, b: System): number => compareNames(a.name, b.name)

export function sortSystems(systems: readonly System[], sort: Sort | undefined, now: number): readonly System[] {
  if (sort === undefined) return systems.toSorted((a, b) => urgency[healthOf(a, now)] - urgency[healthOf(b, now)] || byName(a, b))
  if (sort.column === 'tags') return sortByTags(systems, sort.descending)
  const valueOf = sortValues[sort.column]
  return systems.toSorted((a, b) => compareValues(valueOf(a), valueOf(b), sort.descending) || byName(a, b))
}

/**
 * Returns the systems sorted by their lists of tags. Each distinct tag is compared by language once and then by its rank, because 5,000
 * systems would otherwise take longer than a frame.
 */
function sortByTags(systems: readonly System[], descending: boolean): readonly System[] {
  const texts = new Set(systems.flatMap(({ tags }) => tags.map(({ text }) => text)))
  const ranks = new Map([...texts].toSorted(compareNames).map((text, rank) => [text, rank]))
  const keyed = systems.map((system) => ({ system, key: system.tags.map(({ text }) => ranks.get(text) ?? 0) }))
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key, descending) || byName(a.system, b.system)).map(({ system }) => system)
}

function compareKeys(a: readonly number[], b: readonly number[], descending: boolean): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0)
  const at = a.findIndex((rank, index) => rank !== b[index])
  // A list that begins with the other one is the greater one.
  const order = at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
  return descending ? -order : order
}

/**
 * Returns the list of ids of the columns of the systems table for which at least one system has a value. Name and CPU are always included.
 */
export function columnsWithData(systems: readonly System[]): readonly ColumnId[] {
  return columnIds.filter((id) => id === 'system' || id === 'cpu' || systems.some((system) => sortValues[id](system) !== undefined))
}

const columnFamilies: Readonly<Partial<Record<ColumnId, AgedFamily>>> = {
  cpu: 'cpu',
  memory: 'memory',
  disk: 'rootDisk',
  load: 'load',
  network: 'network',
  temperature: 'temperatures',
  uptime: 'uptimeSeconds',
}

/**
 * Returns the age in seconds of a system's value in a column of the systems table, at the time of the last sample. `undefined` when the
 * value was measured with that sample, as most are, or the column has no measured value.
 */
export function oldSecondsOf({ oldSeconds }: SystemInfo, column: ColumnId): number | undefined {
  const family = columnFamilies[column]
  return family && oldSeconds?.get(family)
}

/** Returns true when a system is not up (down, stale, paused, pending), so that its values in the table are old and shown grey. */
export const isLastKnown = (health: SystemHealth): boolean => health !== 'up'

export const hasValues = ({ cpuPercent, memoryPercent, diskPercent }: SystemInfo): boolean =>
  cpuPercent !== undefined || memoryPercent !== undefined || diskPercent !== undefined

/**
 * Returns a map from system id to the names of the signed-in user's alert rules on that system as one text, such as `CPU, Status`. Each
 * name appears once.
 */
export function alertNamesOf(rules: readonly AlertRule[]): ReadonlyMap<string, string> {
  const names = Map.groupBy(rules, ({ systemId }) => systemId)
  return new Map([...names].map(([systemId, own]) => [systemId, [...new Set(own.map(({ name }) => name))].join(', ')]))
}

export type FleetRowsProps = {
  /** Lines of the list of systems to render: systems and, if the list is grouped, the headings of groups. */
  readonly lines: readonly FleetLine[]
  /** Function that renders the heading of a group in the list of systems. Absent while the list has no groups. */
  readonly renderHeading?: (line: GroupLine) => ReactNode
  /** Map from system id to the names of the signed-in user's alert rules on that system as one text, such as `CPU, Status`. */
  readonly alertNames: ReadonlyMap<string, string>
  /**
   * Function that returns the segment for a system in the URL of its page. It is the name, or the id where several systems have that name
   * or a URL cannot contain it.
   */
  readonly addressOf: (system: System) => string
  readonly now: number
  readonly mayChange: boolean
  readonly onDialog: OpenRowDialog
}

/** Props of one system's table row or card in the list of systems: the system, what the user may do, and callbacks. */
export type SystemProps = Pick<FleetRowsProps, 'mayChange' | 'onDialog'> & {
  readonly system: System
  readonly alertNames: string | undefined
  /**
   * Segment for this system in the URL of its page. It is the name, or the id where several systems have that name or a URL cannot contain
   * it.
   */
  readonly address: string
  readonly health: SystemHealth
  readonly age: string | undefined
}

/**
 * Returns the props of one system's table row or card. If the system is unchanged, each prop is the same object as before, so that React
 * does not render the memoized row again.
 */
export function systemProps(
  { alertNames, addressOf, now, mayChange, onDialog }: FleetRowsProps,
  system: System,
  formats: NumberFormats,
): SystemProps {
  const health = healthOf(system, now)
  return {
    system,
    alertNames: alertNames.get(system.id),
    address: addressOf(system),
    health,
    age: ageText(system, health, now, formats),
    mayChange,
    onDialog,
  }
}
