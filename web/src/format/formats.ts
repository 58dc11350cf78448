export type RateUnit = 'bytes' | 'bits'

/** How numbers and times are written. Formatters read nothing else. */
export type Formats = {
  /** BCP 47, such as `de-AT`. */
  readonly locale: string
  readonly temperature: 'celsius' | 'fahrenheit'
  readonly network: RateUnit
  readonly disk: RateUnit
  /** Without one, as the locale has it. */
  readonly hours?: 12 | 24 | undefined
  /** An IANA name; without one, the browser's. */
  readonly timeZone?: string | undefined
  /** The current year in the time zone: dates of other years are written with theirs. Without one, all dates are. */
  readonly thisYear?: number | undefined
}

/** The part of the formats that numbers need. */
export type NumberFormats = Pick<Formats, 'locale'>
