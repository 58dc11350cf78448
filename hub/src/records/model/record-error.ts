import { HttpError } from '../../platform/http/http-error.ts'

/** Error of one field of a request, in the error response: code, message, and in `params` the limits that the value violates. */
export type FieldError = {
  readonly code: string
  readonly message: string
  readonly params?: { readonly [name: string]: unknown }
  /**
   * In an error of a batch request: status, message and field errors that the failed request of the batch would have received if sent
   * alone. Absent outside batches.
   */
  readonly response?: { readonly status: number; readonly message: string; readonly data: object }
}

/** Errors of a request by field name. For a nested form, the value of a field is again an object of errors by field name. */
export type FieldErrors = { readonly [field: string]: FieldError | FieldErrors }

/** HTTP error of the records API: status (such as 404), message, and in `data` the errors of the request's fields by name. */
export class RecordError extends HttpError {
  override readonly name = 'RecordError'
  override readonly data: FieldErrors
  constructor(status: number, message?: string, data: FieldErrors = {}, position?: number) {
    super(status, message, data, position)
    this.data = data
  }
}

export const notFound = (message?: string): RecordError => new RecordError(404, message)
export const badRequest = (message?: string, data?: FieldErrors): RecordError => new RecordError(400, message, data)
