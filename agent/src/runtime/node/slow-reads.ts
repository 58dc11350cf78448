import { open } from 'node:fs/promises'
import { constants } from 'node:fs'
import type { SlowText } from '../runtime.ts'

/**
 * Maximum number of file reads of this process that hang in a device. At the limit, no further file is read until one of the devices
 * responds.
 */
const MAX_STUCK = 4

export type SlowReads = {
  readonly read: (id: number, paths: readonly string[], limits: { readonly maxBytes: number; readonly deadlineMs: number }) => void
  /**
   * Returns true while a file read of this process hangs in its device. Node then cannot exit normally, because it waits for its threads.
   */
  readonly isWaiting: () => boolean
}

/**
 * Creates the runtime's `readSlow`, which reads files whose device may block. A read that exceeds the deadline is never cancelled: it keeps
 * its thread until the device responds.
 */
export function slowReads(
  tell: (id: number, texts: readonly SlowText[]) => void,
  readFile: (path: string, maxBytes: number) => Promise<string | null> = readShort,
): SlowReads {
  const stuck = new Set<string>()

  const readAll: SlowReads['read'] = (id, paths, { maxBytes, deadlineMs }) => {
    const texts: SlowText[] = paths.map(() => ({ text: null, tookMs: 0 }))
    let isOver = false
    let current: { readonly index: number; readonly path: string; readonly beganAtMs: number } | undefined
    const finish = (): void => {
      if (isOver) return
      isOver = true
      clearTimeout(late)
      tell(id, texts)
    }
    const late = setTimeout(() => {
      if (current !== undefined) {
        stuck.add(current.path)
        texts[current.index] = { text: null, tookMs: performance.now() - current.beganAtMs }
      }
      finish()
    }, deadlineMs)
    const work = async (): Promise<void> => {
      for (const [index, path] of paths.entries()) {
        if (isOver || stuck.size >= MAX_STUCK) break
        if (stuck.has(path)) continue
        current = { index, path, beganAtMs: performance.now() }
        const text = await readFile(path, maxBytes)
        if (!isOver) texts[index] = { text, tookMs: performance.now() - current.beganAtMs }
        else stuck.delete(path)
      }
      current = undefined
      finish()
    }
    void work()
  }

  return { read: readAll, isWaiting: () => stuck.size > 0 }
}

/** Reads a file as UTF-8; `null` when it cannot be read or is longer than `maxBytes`. Named pipes do not block it. */
async function readShort(path: string, maxBytes: number): Promise<string | null> {
  try {
    // oxlint-disable-next-line no-bitwise -- open(2) takes flags so
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const buffer = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, null)
      length += bytesRead
      if (length > maxBytes) return null
      if (bytesRead === 0) return buffer.toString('utf8', 0, length)
    }
  } catch {
    // `null` is the runtime's result for every expected failure of a read.
    return null
  }
}
