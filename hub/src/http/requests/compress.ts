import type { Context, MiddlewareHandler } from 'hono'
import type { JsonPieces } from '../../records/reading/query.ts'
import { gzipping } from './gzip.ts'
import type { RequestContext } from './request-context.ts'

const WORTH_BYTES = 4096
const JSON_TYPE = 'application/json'
const gzip = gzipping()

/** Compresses JSON answers that are large enough to gain, for whoever takes gzip. */
export const compressJson: MiddlewareHandler<RequestContext> = async (c, next) => {
  await next()
  const { headers } = c.res
  if (!takesGzip(c) || !(headers.get('content-type') ?? '').startsWith(JSON_TYPE) || headers.has('content-encoding')) return
  const bytes = new Uint8Array(await c.res.arrayBuffer())
  const { status } = c.res
  const body = bytes.length < WORTH_BYTES ? bytes : await gzip([bytes])
  const changed = new Headers(headers)
  changed.delete('content-length')
  if (body !== bytes) changed.set('content-encoding', 'gzip')
  changed.append('vary', 'Accept-Encoding')
  // An answer that takes the place of another is made of both otherwise.
  c.res = undefined
  c.res = new Response(body, { status, headers: changed })
}

/** Answers with JSON in pieces that need not be put together first. `more` are further headers, in lower case. */
export async function answerJson(
  c: Context<RequestContext>,
  pieces: JsonPieces,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
  const length = bytes.reduce((sum, piece) => sum + piece.length, 0)
  const headers = { 'content-type': JSON_TYPE, ...more }
  if (length < WORTH_BYTES || !takesGzip(c)) return c.body(Buffer.concat(bytes), 200, headers)
  const vary = more['vary'] === undefined ? 'Accept-Encoding' : `${more['vary']}, Accept-Encoding`
  return c.body(await gzip(bytes), 200, { ...headers, 'content-encoding': 'gzip', vary })
}

const takesGzip = (c: Context<RequestContext>): boolean => /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
