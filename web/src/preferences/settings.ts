import type { Formats } from '../format/formats.ts'

/** The tables whose columns a person can arrange. */
export const tableIds = ['systems', 'containers', 'services', 'drives'] as const
export type TableId = (typeof tableIds)[number]

/** Choices of `chartSeries`. */
export const seriesCounts = [5, 10, 20, 'all'] as const

/** Settings of an account, the same in every browser. */
export type Settings = Omit<Formats, 'locale' | 'thisYear'> & {
  /** The range that a system's page opens with. */
  readonly range: '1h' | '12h' | '24h' | '1w' | '30d'
  /** How many charts stand side by side at most. */
  readonly chartColumns: 1 | 2
  /** Tables and cards are lower, so that more of them fit. */
  readonly isCompact: boolean
  /** How many series of a chart are drawn by name. */
  readonly chartSeries: (typeof seriesCounts)[number]
  /** How wide a page gets at most, pixels; without one, the page's own measure. */
  readonly pageWidth?: number | undefined
  /** The containers of a system are grouped by their Compose project. */
  readonly groupContainers: boolean
  /** The arranged columns of each table, as `columnsText` writes them. */
  readonly columns: { readonly [table in TableId]?: string | undefined }
}

export const defaultSettings: Settings = {
  temperature: 'celsius',
  network: 'bytes',
  disk: 'bytes',
  range: '1h',
  chartColumns: 2,
  // More cannot be told apart, and hundreds would hold the page with each move of the pointer.
  chartSeries: 20,
  groupContainers: false,
  isCompact: false,
  columns: {},
}
