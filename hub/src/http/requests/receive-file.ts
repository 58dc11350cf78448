import { HttpError } from '../../platform/http/http-error.ts'
import type { Busboy } from 'busboy'
import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import type { RequestContext } from './request-context.ts'

/** File that a client uploads, as a stream. `name` is the client's file name without folders; `''` if it sent none. */
export type SentFile = { readonly name: string; readonly content: Readable }

/**
 * Maximum size of an uploaded file, such as a backup, in bytes: 64 GiB. A larger upload is refused with 413; a disk that fills up ends it
 * earlier.
 */
const MOST_BYTES = 64 * 1024 ** 3

/**
 * Streams the uploaded form field `file` to the function `take` and resolves when that has finished. Throws 400 without such a field, 413
 * for a file over 64 GiB, 408 after `stalledMs` (ms) without a byte. Errors of `take` are rethrown.
 */
export async function receiveFile(c: Context<RequestContext>, stalledMs: number, take: (file: SentFile) => Promise<void>): Promise<void> {
  const type = c.req.header('content-type') ?? ''
  const { body } = c.req.raw
  if (!type.toLowerCase().startsWith('multipart/form-data') || body === null) throw missing()
  const form = await formOf(type)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let taken: Promise<void> | undefined
  form.on('file', (field, content, { filename }) => {
    // A form that ends early ends its file with an error, even a skipped file.
    content.on('error', () => {})
    if (field !== 'file' || taken !== undefined) {
      content.resume()
      return
    }
    content.on('limit', () => content.destroy(new RecordError(413)))
    taken = take({ name: filename ?? '', content })
    taken.catch((error: unknown) => {
      content.resume()
      reject(error)
    })
  })
  form.on('error', (error) => reject(error instanceof HttpError ? error : badRequest()))
  form.on('close', () => {
    if (taken === undefined) reject(missing())
    else taken.then(resolve, reject)
  })
  const sent = Readable.fromWeb(body)
  const late = setTimeout(() => {
    // The sender is not late while the hub still processes received bytes.
    if (form.writableLength > 0) late.refresh()
    else form.destroy(new RecordError(408))
  }, stalledMs)
  const goesOn = (): void => void late.refresh()
  form.on('drain', goesOn)
  sent.on('error', () => form.destroy(badRequest()))
  sent.on('data', goesOn).once('end', () => clearTimeout(late))
  sent.pipe(form)
  try {
    await promise
  } finally {
    clearTimeout(late)
    sent.unpipe(form)
    // Stops receiving the rest of the body.
    sent.destroy()
  }
}

/**
 * Creates the streaming parser (busboy) for a multipart form; `type` is the request's `Content-Type`. The package is loaded on demand.
 * Throws 400 for an invalid content type.
 */
async function formOf(type: string): Promise<Busboy> {
  const { default: busboy } = await import('busboy')
  try {
    return busboy({ headers: { 'content-type': type }, limits: { files: 1, fileSize: MOST_BYTES, fields: 10, fieldSize: 1000 } })
  } catch {
    throw missing()
  }
}

const missing = (): RecordError =>
  badRequest('An error occurred while validating the submitted data.', {
    file: { code: 'validation_required', message: 'Cannot be blank.' },
  })
