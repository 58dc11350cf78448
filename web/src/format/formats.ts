export type RateUnit = 'bytes' | 'bits'

/**
 * User's preferences for formatting numbers and times: locale, hour cycle, time zone, and the units of temperature, network and disk rates.
 */
export type Formats = {
  /** Locale for formatting numbers and times, as a BCP 47 tag such as `de-AT`. */
  readonly locale: string
  readonly temperature: 'celsius' | 'fahrenheit'
  readonly network: RateUnit
  readonly disk: RateUnit
  /** User's hour cycle for displayed times, 12 or 24; `undefined` = as usual in the locale. */
  readonly hours?: 12 | 24 | undefined
  /** Time zone of displayed times as an IANA name, such as `Europe/Berlin`; `undefined` = the browser's. */
  readonly timeZone?: string | undefined
  /** Current year in the time zone: dates of other years are displayed with their year. `undefined` = all dates are. */
  readonly thisYear?: number | undefined
}

/** User's preferences for formatting numbers: only the locale, as a BCP 47 tag. */
export type NumberFormats = Pick<Formats, 'locale'>
