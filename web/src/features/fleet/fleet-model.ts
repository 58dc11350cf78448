import { compareNames, compareValues } from '../../format/compare.ts'
import type { AgedFamily } from '@vedette/protocol/metrics/sample'
import type { SystemInfo } from '@vedette/protocol/wire/info-json'
import type { AlertRule } from '../../api/alert-record.ts'
import { healthOf, type SystemHealth } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import type { NumberFormats } from '../../format/formats.ts'
import { ageText } from './age-text.ts'
import type { OpenRowDialog } from './row-dialog.ts'

export type ColumnId = 'system' | 'cpu' | 'memory' | 'disk' | 'load' | 'network' | 'temperature' | 'uptime' | 'agent'

/** Sort value of each column; `undefined` where a system has none. */
const sortValues: Readonly<Record<ColumnId, (system: System) => string | number | undefined>> = {
  system: ({ name }) => name,
  cpu: ({ latest }) => latest.cpuPercent,
  memory: ({ latest }) => latest.memoryPercent,
  disk: ({ latest }) => latest.diskPercent,
  load: ({ latest }) => latest.loads?.[0],
  network: ({ latest }) => latest.networkBytesPerSecond,
  temperature: ({ latest }) => latest.temperatureCelsius,
  uptime: ({ latest }) => latest.uptimeSeconds,
  agent: ({ latest }) => latest.agentVersion,
}

const columnIds: readonly ColumnId[] = ['system', 'cpu', 'memory', 'disk', 'load', 'network', 'temperature', 'uptime', 'agent']

/** A person's choice of order; without one, what is wrong comes first, then by name. */
export type Sort = { readonly column: ColumnId; readonly descending: boolean }

/** `cpu` ascending, `-cpu` descending: the form that stands in the address. Anything else is no choice. */
export function parseSort(text: string | null | undefined): Sort | undefined {
  const descending = text?.startsWith('-') ?? false
  const column = columnIds.find((id) => id === (descending ? text?.slice(1) : text))
  return column === undefined ? undefined : { column, descending }
}

export const sortText = (sort: Sort | undefined): string => (sort === undefined ? '' : `${sort.descending ? '-' : ''}${sort.column}`)

/** The next order after a press on a column's heading: one way, the other way, none. Numbers start with the highest. */
export function nextSort(current: Sort | undefined, column: ColumnId): Sort | undefined {
  const startsDescending = column !== 'system' && column !== 'agent'
  if (current?.column !== column) return { column, descending: startsDescending }
  return current.descending === startsDescending ? { column, descending: !startsDescending } : undefined
}

const urgency: Readonly<Record<SystemHealth, number>> = { down: 0, stale: 1, pending: 2, up: 3, paused: 3 }

const byName = (a: System, b: System): number => compareNames(a.name, b.name)

export function sortSystems(systems: readonly System[], sort: Sort | undefined, now: number): readonly System[] {
  if (sort === undefined) return systems.toSorted((a, b) => urgency[healthOf(a, now)] - urgency[healthOf(b, now)] || byName(a, b))
  const valueOf = sortValues[sort.column]
  return systems.toSorted((a, b) => compareValues(valueOf(a), valueOf(b), sort.descending) || byName(a, b))
}

const STATUS = 'status:'

/** Systems whose name or host contains every word of the filter, in any case; `status:down` is a word about how they are. */
export function filterSystems(systems: readonly System[], filter: string, now: number): readonly System[] {
  const parts = filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')
  if (parts.length === 0) return systems
  return systems.filter((system) => {
    const text = `${system.name} ${system.host}`.toLocaleLowerCase()
    return parts.every((part) =>
      part.startsWith(STATUS) ? healthOf(system, now).startsWith(part.slice(STATUS.length)) : text.includes(part),
    )
  })
}

/** Columns for which at least one system has a value; a column that is empty in every row is not shown. */
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

/** How old a column's reading was when its sample was taken, in seconds; `undefined` where it was taken with it. */
export function oldSecondsOf({ oldSeconds }: SystemInfo, column: ColumnId): number | undefined {
  const family = columnFamilies[column]
  return family && oldSeconds?.get(family)
}

/** Whether the values of a system are its last known ones, not its current ones. */
export const isLastKnown = (health: SystemHealth): boolean => health !== 'up'

export const hasValues = ({ cpuPercent, memoryPercent, diskPercent }: SystemInfo): boolean =>
  cpuPercent !== undefined || memoryPercent !== undefined || diskPercent !== undefined

/** Names of a person's alerts by system id: `CPU, Status`. Each name once, however many filesystems or containers have such a rule. */
export function alertNamesOf(rules: readonly AlertRule[]): ReadonlyMap<string, string> {
  const names = Map.groupBy(rules, ({ systemId }) => systemId)
  return new Map([...names].map(([systemId, own]) => [systemId, [...new Set(own.map(({ name }) => name))].join(', ')]))
}

export type FleetRowsProps = {
  readonly systems: readonly System[]
  /** Names of the person's alerts by system id. */
  readonly alertNames: ReadonlyMap<string, string>
  /** Name or id of a system in its page's address. */
  readonly addressOf: (system: System) => string
  readonly now: number
  readonly mayChange: boolean
  readonly onDialog: OpenRowDialog
}

/** A system in the list, as a row or as a card. */
export type SystemProps = Pick<FleetRowsProps, 'mayChange' | 'onDialog'> & {
  readonly system: System
  readonly alertNames: string | undefined
  /** Name or id of the system in its page's address. */
  readonly address: string
  readonly health: SystemHealth
  readonly age: string | undefined
}

/** Each property equals the one before for a system that has not changed, so that its row is not rendered again. */
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
