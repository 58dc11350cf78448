/** One sentence for a person. Node wraps the attempts on several addresses of one name and leaves the wrapper empty. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorText(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
