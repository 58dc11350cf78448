/** A request that the hub refused (`status` 400 and above) or that never reached it (`status` 0). The message is the hub's own. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly status: number
  /** Messages by field name, for a form to show beside its fields. */
  readonly fieldMessages: Readonly<Record<string, string>>

  constructor(message: string, status: number, fieldMessages: Readonly<Record<string, string>>, cause: unknown) {
    super(message, { cause })
    this.status = status
    this.fieldMessages = fieldMessages
  }

  /** Whether asking again may help: nothing was reached, the hub is busy, or it failed by itself. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** The message with what the hub said of single fields: for where there are no fields to say it beside. */
export function detailOf(error: unknown): string {
  if (!(error instanceof RequestFailed)) return messageOf(error)
  const fields = Object.entries(error.fieldMessages).map(([field, message]) => `${field}: ${message}`)
  return [error.message, ...fields].join(' ')
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
