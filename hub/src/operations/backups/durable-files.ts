import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/**
 * Renames a file or folder from the path `from` to the path `to`, synchronously, in the data directory during a restore. Does nothing when
 * `from` does not exist.
 */
export function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}

export function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flush: true })
}

/** Flushes a folder (path) to disk (fsync), so that added and removed files in it survive a power cut. Returns when that is done. */
export function flush(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
