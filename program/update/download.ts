import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { UpdateRefusedError } from './release-files.ts'

/** Size limit of a downloaded checksum list or signature, in bytes: 64 KiB. A larger one refuses the update. */
const MOST_TEXT_BYTES = 64 * 1024
/** Size limit of a downloaded executable, in bytes: 512 MiB. A larger one refuses the update. */
const MOST_PROGRAM_BYTES = 512 * 1024 * 1024
/** Timeout in ms for the start of a download's response, and between two chunks of it: 30 s. A slow but steady download is not limited. */
const STALL_MS = 30_000

/**
 * Downloads a small file of a release (checksums or signature) and resolves with its bytes. Rejects with an UpdateRefusedError when it is
 * missing or larger than 64 KiB, or the download fails or stalls for 30 s.
 */
export async function fetchSmall(url: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  await receive(url, MOST_TEXT_BYTES, async (chunk) => void chunks.push(chunk))
  return Buffer.concat(chunks)
}

/**
 * Downloads an executable to a new file at `path` and flushes it to disk. Resolves with its SHA-256 in hexadecimal digits. Rejects with an
 * UpdateRefusedError when the download fails, else with the file system's error; an incomplete file may remain.
 */
export async function fetchProgram(url: URL, path: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o700)
  try {
    await receive(url, MOST_PROGRAM_BYTES, async (chunk) => {
      hash.update(chunk)
      await file.write(chunk)
    })
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

async function receive(url: URL, mostBytes: number, take: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(), STALL_MS)
  let bytes = 0
  try {
    const response = await fetch(url, { signal: stalled.signal })
    if (!response.ok || response.body === null) throw new UpdateRefusedError(`${url.href} answered with status ${response.status}`)
    for await (const chunk of response.body) {
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(), STALL_MS)
      bytes += chunk.length
      if (bytes > mostBytes) throw new UpdateRefusedError(`${url.href} is larger than ${mostBytes} bytes`)
      await take(chunk)
    }
  } catch (error) {
    if (error instanceof UpdateRefusedError || isOfFile(error)) throw error
    throw new UpdateRefusedError(`Cannot download ${url.href}: ${stalled.signal.aborted ? 'no data for 30 s' : reasonOf(error)}`)
  } finally {
    clearTimeout(timer)
    stalled.abort()
  }
}

/**
 * Returns true for an error of a file operation of the update (`write`, `open`, `fsync`), such as a full disk. Network errors name other
 * system calls.
 */
const isOfFile = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ['write', 'open', 'fsync'].includes(String(error.syscall))

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
