export type RateUnit = 'bytes' | 'bits'

/** Preferences for formatting numbers and times: locale, hour cycle, time zone, units. */
export type Formats = {
  /** Locale as a BCP 47 tag, such as `de-AT`. */
  readonly locale: string
  readonly temperature: 'celsius' | 'fahrenheit'
  readonly network: RateUnit
  readonly disk: RateUnit
  /** Number: hour cycle, 12 or 24; `undefined` = the locale's. */
  readonly hours?: 12 | 24 | undefined
  /** Time zone as an IANA name; `undefined` = the browser's. */
  readonly timeZone?: string | undefined
  /** Number: current year in the time zone. Dates in other years show their year. `undefined` = all dates show it. */
  readonly thisYear?: number | undefined
}

/** Preferences for formatting numbers: the locale. */
export type NumberFormats = Pick<Formats, 'locale'>
