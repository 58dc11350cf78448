import { constants, createGzip, type Gzip, type ZlibReset } from 'node:zlib'

/** Compresses pieces of one text, off the main thread. */
export type Gzipping = (pieces: readonly Uint8Array[]) => Promise<Uint8Array<ArrayBuffer>>

/** Fast rather than small; in few large pieces, which are shared by several answers. */
const fast = { level: constants.Z_BEST_SPEED, memLevel: constants.Z_MAX_MEMLEVEL, chunkSize: 128 * 1024 }

/** Compressors that wait for their next text. Each keeps half a megabyte that would have to be collected after every answer otherwise. */
const MOST_IDLE = 2

/** Gzip (RFC 1952) with compressors that are used again. */
export function gzipping(): Gzipping {
  const idle: (Gzip & ZlibReset)[] = []
  // All that deflate can be reset, which their types say of only some (Node documentation, `zlib.reset`).
  const made = (): Gzip & ZlibReset => createGzip(fast) as Gzip & ZlibReset

  return async (pieces) => {
    const gzip = idle.pop() ?? made()
    try {
      const compressed = await compress(gzip, pieces)
      if (idle.length < MOST_IDLE) {
        gzip.reset()
        idle.push(gzip)
      } else gzip.close()
      return compressed
    } catch (error) {
      gzip.close()
      throw error
    }
  }
}

function compress(gzip: Gzip, pieces: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  const found: Buffer[] = []
  const take = (chunk: Buffer): void => void found.push(chunk)
  gzip.on('data', take).once('error', reject)
  for (const piece of pieces) gzip.write(piece)
  gzip.flush(constants.Z_FINISH, () => {
    gzip.off('data', take).off('error', reject)
    for (let rest: unknown = gzip.read(); rest instanceof Buffer; rest = gzip.read()) take(rest)
    resolve(Buffer.concat(found))
  })
  return promise
}
