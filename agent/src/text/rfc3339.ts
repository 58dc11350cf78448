/**
 * Parses an RFC 3339 time into nanoseconds since the epoch, exact to the microsecond; decimals after the ninth are ignored. `undefined` for
 * other values and for times before 1970-01-01T00:00:01Z, such as Go's zero time.
 */
export function rfc3339Ns(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const [, seconds, fraction = '', zone = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (seconds === undefined) return undefined
  const ms = Date.parse(seconds + zone)
  // Go's zero time means "never".
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms * 1_000_000 + Number(fraction.padEnd(9, '0').slice(0, 9))
}
