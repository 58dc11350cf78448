import { defaultChoices, type Choices } from '../format/choices.ts'

/** What a person prefers wherever they sign in. */
export type Settings = Choices & {
  /** The range that a system's page opens with. */
  readonly range: '1h' | '12h' | '24h' | '1w' | '30d'
  /** How many charts stand side by side at most. */
  readonly chartColumns: 1 | 2
  /** How wide a page gets at most, pixels; without one, the page's own measure. */
  readonly pageWidth?: number | undefined
}

export const defaultSettings: Settings = { ...defaultChoices, range: '1h', chartColumns: 2 }
