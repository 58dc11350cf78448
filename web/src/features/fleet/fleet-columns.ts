import type { TableColumn } from '../../ui/sortable-table.tsx'
import * as words from '../../words/messages.js'
import type { ColumnId } from './fleet-model.ts'

/**
 * Description of a column of the systems table: id, function that returns the title, and CSS classes. Narrow windows hide less important
 * columns; name and menu are always visible.
 */
export type FleetColumn = TableColumn & { readonly id: ColumnId | 'hour' }

const meterWidth = 'w-38 max-lg:w-32'

export const nameColumn: FleetColumn = { id: 'system', title: words.column_system }

/** List of the columns of the systems table that a user can show, hide and reorder. */
export const fleetColumns: readonly FleetColumn[] = [
  { id: 'tags', title: words.column_tags, className: 'w-44 max-lg:hidden' },
  { id: 'cpu', title: words.column_cpu, className: meterWidth },
  { id: 'hour', title: words.column_last_hour, className: 'w-28 max-xl:hidden', isSortable: false },
  { id: 'memory', title: words.column_memory, className: meterWidth },
  { id: 'disk', title: words.column_disk, className: `${meterWidth} max-md:hidden` },
  { id: 'load', title: words.column_load, className: 'w-16 max-lg:hidden', isNumber: true },
  { id: 'network', title: words.column_network, className: 'w-26 max-lg:hidden', isNumber: true },
  { id: 'temperature', title: words.column_temperature, className: 'w-20 max-xl:hidden', isNumber: true },
  { id: 'uptime', title: words.column_uptime, className: 'w-24 max-xl:hidden', isNumber: true },
  { id: 'agent', title: words.column_agent, className: 'w-22 max-xl:hidden', isNumber: true },
]

/**
 * Object from column id of the systems table, such as `load`, to the CSS class that hides the column in narrow windows. It applies while
 * the table has a column of tags, which needs the space.
 */
const hiddenBesideTags: Readonly<Partial<Record<FleetColumn['id'], string>>> = {
  load: 'max-xl:hidden',
  network: 'max-xl:hidden',
  agent: 'max-2xl:hidden',
  // Widths between the breakpoints: a usual window of 1440 px has room for these columns beside the tags.
  temperature: 'max-[87.5rem]:hidden',
  uptime: 'max-[87.5rem]:hidden',
}

/**
 * Returns the columns of the systems table. If the column of tags is among them, less important columns are hidden in more window widths;
 * otherwise they are unchanged.
 */
export function besideTags(columns: readonly FleetColumn[]): readonly FleetColumn[] {
  if (!columns.some(({ id }) => id === 'tags')) return columns
  return columns.map((column) => {
    const hidden = hiddenBesideTags[column.id]
    return hidden === undefined ? column : { ...column, className: `${column.className ?? ''} ${hidden}` }
  })
}
