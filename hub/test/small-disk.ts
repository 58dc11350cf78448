import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A filesystem of its own of so many bytes, as mount(8) has them: `12m`. A sentence where none can be mounted. */
export function smallDisk(size: string): (Disposable & { readonly path: string }) | string {
  const path = mkdtempSync(join(tmpdir(), 'vedette-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'pipe', timeout: 120_000 })
  } catch (error) {
    rmdirSync(path)
    return `no filesystem can be mounted here: ${error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)}`
  }
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', [path], { stdio: 'pipe', timeout: 120_000 })
      rmdirSync(path)
    },
  }
}

/** Fills the filesystem with a file. */
export function takeEverything(file: string): void {
  const to = openSync(file, 'a')
  try {
    for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(to, Buffer.alloc(size, 1))
  } finally {
    closeSync(to)
  }
}

function writeUntilFull(to: number, bytes: Buffer): void {
  try {
    while (writeSync(to, bytes) > 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
