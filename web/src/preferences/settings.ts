import type { Formats } from '../format/formats.ts'

/** List of the ids of the tables whose columns a person can reorder and hide: `systems`, `containers`, `services`, `drives`. */
export const tableIds = ['systems', 'containers', 'services', 'drives'] as const
export type TableId = (typeof tableIds)[number]

/** List of the allowed values of the setting `chartSeries`, the number of series that a chart draws one by one: 5, 10, 20 or `all`. */
export const seriesCounts = [5, 10, 20, 'all'] as const

/** Settings of an account (units, formats, layout, charts, columns), which apply in every browser where the person signs in. */
export type Settings = Omit<Formats, 'locale' | 'thisYear'> & {
  /** Setting: id of the preset time range with which a system's page opens, such as `12h`. */
  readonly range: '1h' | '12h' | '24h' | '1w' | '30d'
  /** Number (setting): maximum number of charts side by side. */
  readonly chartColumns: 1 | 2
  /** Setting: true for a compact layout with lower table rows and cards. */
  readonly isCompact: boolean
  /** Setting: number of series that a chart draws one by one. Stacked charts sum the rest to one line; other charts leave the rest out. */
  readonly chartSeries: (typeof seriesCounts)[number]
  /** Setting: maximum page width in px; `undefined` = the default width. */
  readonly pageWidth?: number | undefined
  /** Setting: true when a system's containers are grouped by Compose project. */
  readonly groupContainers: boolean
  /** Setting: map from table to its columns as text in the person's order, such as `cpu,-disk,load` (`-` = hidden). */
  readonly columns: { readonly [table in TableId]?: string | undefined }
}

export const defaultSettings: Settings = {
  temperature: 'celsius',
  network: 'bytes',
  disk: 'bytes',
  range: '1h',
  chartColumns: 2,
  // More series cannot be distinguished, and hundreds would slow down the page.
  chartSeries: 20,
  groupContainers: false,
  isCompact: false,
  columns: {},
}
