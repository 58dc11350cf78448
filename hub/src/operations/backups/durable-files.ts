import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Renames a file or folder; nothing when there is none. */
export function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}

export function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flush: true })
}

/** Makes what was put into a folder, or taken from it, last through a power cut. */
export function flush(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
