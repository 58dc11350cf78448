/** What is wrong with one field; `params` carries the limits that were missed. */
export type FieldError = {
  readonly code: string
  readonly message: string
  readonly params?: { readonly [name: string]: unknown }
  /** What one request of several was told by itself. */
  readonly response?: { readonly status: number; readonly message: string; readonly data: FieldErrors }
}

/** Field name → its error; nested for nested forms. */
export type FieldErrors = { readonly [field: string]: FieldError | FieldErrors }

/** A refused request of the records API: what the caller is told, nothing else. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
  readonly status: number
  readonly data: FieldErrors
  /** Where in a filter it became too long or too deep, in characters from 0. */
  readonly position: number | undefined
  constructor(status: number, message: string = defaultMessages[status] ?? FAILED, data: FieldErrors = {}, position?: number) {
    super(message)
    this.status = status
    this.data = data
    this.position = position
  }
}

/** Too much for now. `retryAfterSeconds` goes into the header `Retry-After`. */
export class TooManyError extends RecordError {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(429)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const FAILED = 'Something went wrong while processing your request.'

/** What is said when there is nothing more precise to say. */
export const defaultMessages: Readonly<Record<number, string>> = {
  400: FAILED,
  401: 'Missing or invalid authentication.',
  403: 'You are not allowed to perform this request.',
  404: "The requested resource wasn't found.",
  408: 'The request took too long to arrive.',
  413: 'Request entity too large.',
  429: 'Too Many Requests.',
  500: FAILED,
}

export const notFound = (message?: string): RecordError => new RecordError(404, message)
export const badRequest = (message?: string, data?: FieldErrors): RecordError => new RecordError(400, message, data)
