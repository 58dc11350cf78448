import { HttpError } from '../../platform/http/http-error.ts'

/** The error of one field; `params` holds the limits that the value missed. */
export type FieldError = {
  readonly code: string
  readonly message: string
  readonly params?: { readonly [name: string]: unknown }
  /** The response that this request of a batch would have received alone. */
  readonly response?: { readonly status: number; readonly message: string; readonly data: object }
}

/** Errors by field name; nested for nested forms. */
export type FieldErrors = { readonly [field: string]: FieldError | FieldErrors }

/** A rejected request, with the errors of its fields. */
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
