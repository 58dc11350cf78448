import { HttpError } from '../../platform/http/http-error.ts'
import type { Busboy } from 'busboy'
import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import type { RequestContext } from './request-context.ts'

/** `name`: as the sender has it, without folders; `''` when it has none. */
export type SentFile = { readonly name: string; readonly content: Readable }

/** No file that is sent may be larger; what there is room for is found out while it comes. */
const MOST_BYTES = 64 * 1024 ** 3

/**
 * Hands the field `file` of a form on while it arrives, however large it is. Throws 400 when there is none, 413 when it is too
 * large, 408 when nothing of it comes for `stalledMs`, and what `take` throws.
 */
export async function receiveFile(c: Context<RequestContext>, stalledMs: number, take: (file: SentFile) => Promise<void>): Promise<void> {
  const type = c.req.header('content-type') ?? ''
  const { body } = c.req.raw
  if (!type.toLowerCase().startsWith('multipart/form-data') || body === null) throw missing()
  const form = await formOf(type)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let taken: Promise<void> | undefined
  form.on('file', (field, content, { filename }) => {
    // A form that ends early ends its file with an error, also one that nobody reads.
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
    // While the hub itself still works on what came, the sender is not late.
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
    // The rest is not waited for.
    sent.destroy()
  }
}

/** The parser is loaded with the first form. */
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
