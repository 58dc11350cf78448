/**
 * Returns an error's message as text. For an `AggregateError` of several connection attempts it is the first one's, since Node leaves the
 * wrapper's empty.
 */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorText(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
