import { HttpError } from '../../platform/http/http-error.ts'

/** What is wrong with one field; `params` carries the limits that were missed. */
export type FieldError = {
  readonly code: string
  readonly message: string
  readonly params?: { readonly [name: string]: unknown }
  /** The response that one request of a batch would have got alone. */
  readonly response?: { readonly status: number; readonly message: string; readonly data: object }
}

/** Field name → its error; nested for nested forms. */
export type FieldErrors = { readonly [field: string]: FieldError | FieldErrors }

/** A refused request, with the problems of its fields. */
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
