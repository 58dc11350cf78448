import type { Context, Env, Next } from 'hono'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const MIN_BYTES = 4096
/** Options of gzip (node:zlib) for compressing responses: fastest compression, with few large chunks. */
const gzipOptions = { level: constants.Z_BEST_SPEED, memLevel: constants.Z_MAX_MEMLEVEL, chunkSize: 128 * 1024 }
const compressed = promisify<Uint8Array, typeof gzipOptions, Buffer<ArrayBuffer>>(gzip)

/**
 * Hono middleware that gzips JSON responses of 4 KiB or more for clients that accept gzip. Hono's own middleware would also compress small
 * responses, because they have no `Content-Length`.
 */
export async function compressJson<E extends Env>(c: Context<E>, next: Next): Promise<void> {
  await next()
  const { headers, status } = c.res
  const isAccepted = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  if (!isAccepted || headers.has('content-encoding') || headers.get('content-type')?.startsWith('application/json') !== true) return
  const bytes = new Uint8Array(await c.res.arrayBuffer())
  const isLarge = bytes.length >= MIN_BYTES
  const changed = new Headers(headers)
  changed.delete('content-length')
  if (isLarge) changed.set('content-encoding', 'gzip')
  changed.append('vary', 'Accept-Encoding')
  // Without this, Hono merges the old response's headers into the new one.
  c.res = undefined
  c.res = new Response(isLarge ? await compressed(bytes, gzipOptions) : bytes, { status, headers: changed })
}
