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

const column = (id: ColumnId, title: () => string, width: string, shownFrom: string, isNumber = false): FleetColumn => ({
  id,
  title,
  width,
  shownFrom,
  isNumber,
})

export const fleetColumns: readonly FleetColumn[] = [
  column('system', words.column_system, '', ''),
  column('cpu', words.column_cpu, 'w-42', ''),
  column('memory', words.column_memory, 'w-42', ''),
  column('disk', words.column_disk, 'w-42', 'max-md:hidden'),
  column('load', words.column_load, 'w-18', 'max-lg:hidden', true),
  column('network', words.column_network, 'w-26', 'max-lg:hidden', true),
  column('temperature', words.column_temperature, 'w-20', 'max-xl:hidden', true),
  column('uptime', words.column_uptime, 'w-26', 'max-xl:hidden', true),
  column('agent', words.column_agent, 'w-24', 'max-xl:hidden', true),
]
