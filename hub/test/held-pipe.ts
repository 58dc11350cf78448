import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { makeMemoryFolder } from './memory-folder.ts'

/** A named pipe. A program that reads it waits until this is disposed. */
export function heldPipe() {
  const folder = makeMemoryFolder('vedette-pipe-')
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  // Opening a pipe for writing waits for its reader (fifo(7)).
  const opened = open(path, 'w')
  return {
    path,
    /** Resolves when a program reads the pipe. */
    isRead: opened.then(() => undefined),
    async [Symbol.asyncDispose]() {
      // Without a reader so far, this is one.
      const reader = await open(path, 'r+')
      await (await opened).close()
      await reader.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
