import type { Readable } from 'node:stream'

/** A password and its line end; whoever sends more is sending something else. */
const MAX_BYTES = 4096
const WITHIN_MS = 60_000

/** Everything that arrives until the end of input. Throws a `RangeError` when it is too much or does not end in time. */
export async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const late = setTimeout(() => input.destroy(new RangeError(`standard input did not end within ${WITHIN_MS / 1000} s`)), WITHIN_MS)
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > MAX_BYTES) throw new RangeError(`standard input holds more than ${MAX_BYTES} bytes`)
      chunks.push(bytes)
    }
  } finally {
    clearTimeout(late)
  }
  return Buffer.concat(chunks).toString('utf8')
}
