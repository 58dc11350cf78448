/**
 * Error that becomes an HTTP error response with its `status` and message. `data` is a map from the name of an invalid field to its
 * problem.
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly data: object
  /**
   * Position of the error in a text of the request, such as a filter expression, in characters from 0. `undefined` if the error concerns no
   * such text.
   */
  readonly position: number | undefined
  constructor(status: number, message: string = defaultMessages[status] ?? FAILED, data: object = {}, position?: number) {
    super(message)
    this.status = status
    this.data = data
    this.position = position
  }
}

/** HTTP error 429 (too many requests). `retryAfterSeconds` becomes the header `Retry-After`. */
export class TooManyError extends HttpError {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(429)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const FAILED = 'Something went wrong while processing your request.'

/** Map from HTTP status to the default message of an error with that status. */
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

/**
 * Returns the JSON body of an HTTP error response: message, problems by field (`data`), and the status twice, because older clients read
 * `code` and current ones `status`.
 */
export function errorBody({ data, message, status, position }: HttpError) {
  return { data, message, status, code: status, ...(position === undefined ? {} : { position }) }
}
