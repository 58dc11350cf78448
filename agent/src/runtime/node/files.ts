import * as fs from 'node:fs'
import { dirname } from 'node:path'
import type { Bytes, FileFacts } from '../runtime.ts'

const DEFAULT_MAX_BYTES = 1024 * 1024
/**
 * Initial size in bytes, 64 KiB, of the read buffer that all file reads share. Files of /proc and /sys report the size 0, so they are read
 * until their end.
 */
const FIRST_BUFFER_BYTES = 64 * 1024

let buffer = Buffer.alloc(0)

/**
 * Opens a file or folder for reading and returns its descriptor, or `null` when it cannot be opened. Non-blocking, so that a named pipe
 * does not block the event loop.
 */
export const openToRead = (path: string): number | null =>
  // oxlint-disable-next-line no-bitwise -- open(2) takes flags so
  orNull(() => fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK))

/**
 * Reads a file into the shared buffer and returns its bytes, valid until the next call. `null` when it cannot be read or is longer than
 * `maxBytes`.
 */
function readWhole(path: string, maxBytes: number): Buffer | null {
  const file = openToRead(path)
  if (file === null) return null
  try {
    if (buffer.length === 0) buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES)
    let length = 0
    for (;;) {
      if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
      const count = fs.readSync(file, buffer, length, buffer.length - length, null)
      if (count === 0) return buffer.subarray(0, length)
      length += count
      if (length > maxBytes) return null
    }
  } catch {
    return null
  } finally {
    fs.closeSync(file)
  }
}

export const readText = (path: string, maxBytes = DEFAULT_MAX_BYTES): string | null => readWhole(path, maxBytes)?.toString('utf8') ?? null

export function readBytes(path: string, maxBytes = DEFAULT_MAX_BYTES): Bytes | null {
  const whole = readWhole(path, maxBytes)
  return whole === null ? null : Uint8Array.from(whole)
}

export const readLink = (path: string): string | null => orNull(() => fs.readlinkSync(path))

export const listDir = (path: string): string[] | null => orNull(() => fs.readdirSync(path).toSorted())

export function stat(path: string): FileFacts | null {
  return orNull(() => {
    // Most checked paths do not exist; an exception for each would cost more than the call.
    const facts = fs.statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return null
    const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSocket() ? 'socket' : 'other'
    // oxlint-disable-next-line no-bitwise -- permission bits of stat(2)
    return { kind, sizeBytes: facts.size, modifiedMs: facts.mtimeMs, mode: facts.mode & 0o7777, owner: facts.uid }
  })
}

/**
 * Creates a folder and its missing parents (0755). Node's own recursive form never ends where the kernel allows no new names, such as below
 * /proc.
 */
function makeFolder(path: string): void {
  if (fs.existsSync(path)) return
  makeFolder(dirname(path))
  fs.mkdirSync(path, { mode: 0o755 })
}

/**
 * Writes a file atomically, with the permission bits `mode`: to a temporary file beside it, then renamed over it. Returns the error's text,
 * or `null` on success.
 */
export function writeFile(path: string, data: Bytes, mode: number): string | null {
  const beside = `${path}.${process.pid}.new`
  return errorText(() => {
    makeFolder(dirname(path))
    // Removed first: it could be a symbolic link that another user placed there.
    fs.rmSync(beside, { force: true })
    const file = fs.openSync(beside, 'wx', mode)
    try {
      fs.writeSync(file, data)
      fs.fchmodSync(file, mode)
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
    fs.renameSync(beside, path)
  })
}

export const remove = (path: string): string | null => errorText(() => fs.unlinkSync(path))

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // `null` is the runtime's result for every expected failure of a read.
    return null
  }
}

function errorText(act: () => void): string | null {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
