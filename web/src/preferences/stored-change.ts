import { tableIds, type Settings } from './settings.ts'
import { columnsName, COMPACT } from './stored-settings.ts'

type Entry = readonly [name: string, value: string | number | null]

const entries: { readonly [Name in Exclude<keyof Settings, 'columns'>]-?: (change: Partial<Settings>) => Entry } = {
  temperature: ({ temperature }) => ['unitTemp', temperature === 'fahrenheit' ? 3 : 2],
  network: ({ network }) => ['unitNet', network === 'bits' ? 1 : 0],
  disk: ({ disk }) => ['unitDisk', disk === 'bits' ? 1 : 0],
  hours: ({ hours }) => ['hourFormat', hours === undefined ? null : `${hours}h`],
  timeZone: ({ timeZone = null }) => ['timeZone', timeZone],
  range: ({ range = null }) => ['chartTime', range],
  chartColumns: ({ chartColumns }) => ['chartColumns', chartColumns === 1 ? 1 : null],
  isCompact: ({ isCompact = false }) => ['density', isCompact ? COMPACT : null],
  chartSeries: ({ chartSeries = null }) => ['chartSeries', chartSeries],
  pageWidth: ({ pageWidth = null }) => ['layoutWidth', pageWidth],
  groupContainers: ({ groupContainers = false }) => ['groupContainers', groupContainers ? 1 : null],
}

/**
 * Converts changed settings to an object from stored name to stored value, as the hub's API takes them. Null deletes a setting. `columns`
 * need only have the tables that change.
 */
export const storedChange = (change: Partial<Settings>): Readonly<Record<string, string | number | null>> =>
  Object.fromEntries([
    ...Object.entries(entries).flatMap(([name, entryOf]) => (Object.hasOwn(change, name) ? [entryOf(change)] : [])),
    ...tableIds.flatMap((table) =>
      change.columns !== undefined && Object.hasOwn(change.columns, table)
        ? [[columnsName(table), change.columns[table] ?? null] as const]
        : [],
    ),
  ])
