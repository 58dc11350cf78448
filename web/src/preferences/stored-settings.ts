import { ownValue } from '@vedette/protocol/own-value'
import { defaultSettings, seriesCounts, tableIds, type Settings, type TableId } from './settings.ts'

const chartRanges = ['1h', '12h', '24h', '1w', '30d'] as const
const LEAST_WIDTH = 1000
const MOST_WIDTH = 2000
/** Text value of the stored setting `density` that means the compact layout. */
export const COMPACT = 'compact'

/** Stored settings of an account as a JSON object. Unknown fields belong to other clients; changes leave them as they are. */
export type StoredSettings = Readonly<Record<string, unknown>>

/**
 * Parses the stored settings of an account. The first eight settings are shared with other clients, which also store numbers as text.
 * Invalid values get defaults.
 */
export function readSettings(stored: StoredSettings): Settings {
  const text = (name: string): string => {
    const value = ownValue(stored, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const width = Number(text('layoutWidth'))
  return {
    temperature: text('unitTemp') === '3' ? 'fahrenheit' : 'celsius',
    network: text('unitNet') === '1' ? 'bits' : 'bytes',
    disk: text('unitDisk') === '1' ? 'bits' : 'bytes',
    hours: text('hourFormat') === '12h' ? 12 : text('hourFormat') === '24h' ? 24 : undefined,
    timeZone: isTimeZone(text('timeZone')) ? text('timeZone') : undefined,
    range: chartRanges.find((range) => range === text('chartTime')) ?? defaultSettings.range,
    chartColumns: text('chartColumns') === '1' ? 1 : 2,
    isCompact: text('density') === COMPACT,
    chartSeries: seriesCounts.find((count) => text('chartSeries') === `${count}`) ?? defaultSettings.chartSeries,
    pageWidth: width >= LEAST_WIDTH && width <= MOST_WIDTH ? width : undefined,
    groupContainers: text('groupContainers') === '1',
    columns: Object.fromEntries(tableIds.map((table) => [table, text(columnsName(table)) || undefined])),
  }
}

/** Returns the name of the stored setting that holds a table's columns, such as `columns_systems`. */
export const columnsName = (table: TableId): string => `columns_${table}`

function isTimeZone(text: string): boolean {
  if (text === '') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    // `Intl` throws for a time zone that this browser does not know.
    return false
  }
}
