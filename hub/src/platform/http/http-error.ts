/** An error with its own HTTP response. `data` holds the problem of each invalid field. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly data: object
  /** Position of the error in a text of the request, such as a filter: characters from 0. */
  readonly position: number | undefined
  constructor(status: number, message: string = defaultMessages[status] ?? FAILED, data: object = {}, position?: number) {
    super(message)
    this.status = status
    this.data = data
    this.position = position
  }
}

/** Status 429. `retryAfterSeconds` becomes the header `Retry-After`. */
export class TooManyError extends HttpError {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(429)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const FAILED = 'Something went wrong while processing your request.'

/** Default message of a status. */
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

/** JSON body of the response. Current clients read `status`, older ones `code`. */
export function errorBody({ data, message, status, position }: HttpError) {
  return { data, message, status, code: status, ...(position === undefined ? {} : { position }) }
}
