import type { Formats } from '../format/formats.ts'

/** List of the ids of the tables whose columns a user can reorder and hide: `systems`, `containers`, `services`, `drives`. */
export const tableIds = ['systems', 'containers', 'services', 'drives'] as const
export type TableId = (typeof tableIds)[number]

/** Allowed values of the setting `chartSeries`: 5, 10, 20 or `all` series that a chart draws one by one. */
export const seriesCounts = [5, 10, 20, 'all'] as const

/** Settings of a user's account (units, formats, layout, charts, columns), which apply in every browser where the user signs in. */
export type Settings = Omit<Formats, 'locale' | 'thisYear'> & {
  /** Id of the preset time range, such as `12h`, that the charts of a system's page show when it is opened. */
  readonly range: '1h' | '12h' | '24h' | '1w' | '30d'
  /** Maximum number of charts side by side on a system's page, 1 or 2. */
  readonly chartColumns: 1 | 2
  /** True for a compact layout with lower table rows and cards. */
  readonly isCompact: boolean
  /**
   * Number of series that a chart draws one by one: 5, 10, 20 or `all`. Stacked charts add the others up to one line; other charts leave
   * them out.
   */
  readonly chartSeries: (typeof seriesCounts)[number]
  /** Maximum width of the dashboard's content in px, a setting of the user; `undefined` = the default width. */
  readonly pageWidth?: number | undefined
  /** True when the containers of a system are grouped by Compose project. */
  readonly groupContainers: boolean
  /**
   * Columns of each table in the user's order, as text such as `cpu,-disk,load` (`-` = hidden); a missing table has the default columns.
   */
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
