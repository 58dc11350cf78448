import * as fs from 'node:fs'
import { dirname } from 'node:path'
import type { Bytes, FileFacts } from '../runtime.ts'

const DEFAULT_MAX_BYTES = 1024 * 1024
/** Files of /proc and /sys say they are empty, so they are read until their end. Most fit the first buffer. */
const FIRST_BUFFER_BYTES = 64 * 1024

let buffer = Buffer.alloc(0)

/** A descriptor of a file or folder; `null` when it cannot be opened. Non-blocking: a named pipe must not hold up the loop. */
export const openToRead = (path: string): number | null =>
  // oxlint-disable-next-line no-bitwise -- open(2) takes flags so
  orNull(() => fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK))

/** The bytes of a file, valid until the next call; `null` when it cannot be read or is too long. */
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
    // Most questions are about what is not there; an exception for each would cost more than the call.
    const facts = fs.statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return null
    const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSocket() ? 'socket' : 'other'
    // oxlint-disable-next-line no-bitwise -- permission bits of stat(2)
    return { kind, sizeBytes: facts.size, modifiedMs: facts.mtimeMs, mode: facts.mode & 0o7777, owner: facts.uid }
  })
}

/** Parent by parent: Node's own recursive form never ends where the kernel allows no new names at all, as below /proc. */
function makeFolder(path: string): void {
  if (fs.existsSync(path)) return
  makeFolder(dirname(path))
  fs.mkdirSync(path, { mode: 0o755 })
}

/** Beside its place first, then renamed over it: there is never half a file. */
export function writeFile(path: string, data: Bytes, mode: number): string | null {
  const beside = `${path}.${process.pid}.new`
  return errorText(() => {
    makeFolder(dirname(path))
    // Never through a link that somebody laid in its way, where others may write too.
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
    // The interface's word for every expected failure of a read.
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
