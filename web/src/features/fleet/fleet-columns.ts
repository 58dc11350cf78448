import * as words from '../../words/messages.js'
import type { ColumnId } from './fleet-model.ts'

/** How a column is laid out. Narrower windows leave out what is asked for least; the name and the menu always stay. */
export type FleetColumn = {
  readonly id: ColumnId
  readonly title: () => string
  readonly width: string
  readonly shownFrom: string
  readonly isNumber: boolean
}

const meterWidth = 'w-38 max-lg:w-32'

export const fleetColumns: readonly FleetColumn[] = [
  { id: 'system', title: words.column_system, width: '', shownFrom: '', isNumber: false },
  { id: 'cpu', title: words.column_cpu, width: meterWidth, shownFrom: '', isNumber: false },
  { id: 'memory', title: words.column_memory, width: meterWidth, shownFrom: '', isNumber: false },
  { id: 'disk', title: words.column_disk, width: meterWidth, shownFrom: 'max-md:hidden', isNumber: false },
  { id: 'load', title: words.column_load, width: 'w-16', shownFrom: 'max-lg:hidden', isNumber: true },
  { id: 'network', title: words.column_network, width: 'w-26', shownFrom: 'max-lg:hidden', isNumber: true },
  { id: 'temperature', title: words.column_temperature, width: 'w-20', shownFrom: 'max-xl:hidden', isNumber: true },
  { id: 'uptime', title: words.column_uptime, width: 'w-24', shownFrom: 'max-xl:hidden', isNumber: true },
  { id: 'agent', title: words.column_agent, width: 'w-22', shownFrom: 'max-xl:hidden', isNumber: true },
]
