/** Nanoseconds since the epoch of an RFC 3339 time with up to nine decimals, exact to the microsecond; `undefined` for anything else. */
export function rfc3339Ns(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const [, seconds, fraction = '', zone = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (seconds === undefined) return undefined
  const ms = Date.parse(seconds + zone)
  // Go's zero time means "never".
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms * 1_000_000 + Number(fraction.padEnd(9, '0').slice(0, 9))
}
