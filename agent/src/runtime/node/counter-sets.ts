import * as fs from 'node:fs'
import type { CounterFile, CounterNumbers, Runtime, WantedCounters } from '../runtime.ts'
import { countedNumbers } from './counted-numbers.ts'
import { openToRead } from './files.ts'

/**
 * Size limit in bytes, 64 KiB, of a counter file such as /proc/PID/net/dev. If one is longer, all later reads of that process's counter
 * files return `null`.
 */
const MAX_BYTES = 64 * 1024

type OpenFile = CounterFile & {
  /**
   * Open file descriptor of the counter file; `null` if the file does not exist. Absent for a path relative to the process's /proc folder,
   * which is opened for each read.
   */
  readonly descriptor?: number | null
}
type OpenSet = { readonly processFolder: number; readonly files: readonly OpenFile[]; isGone: boolean }

export type CounterSets = {
  readonly open: Runtime['countersOpen']
  readonly read: Runtime['countersRead']
  readonly close: Runtime['countersClose']
}

/**
 * Creates the store of open counter files: kernel files with CPU, memory and traffic counters, such as those of a container's cgroup. The
 * files of one process form a set. They are opened once and read repeatedly, see `Runtime.countersOpen`.
 */
export function counterSets(): CounterSets {
  const sets = new Map<number, OpenSet>()
  const buffer = Buffer.allocUnsafeSlow(MAX_BYTES)

  const textOf = (descriptor: number): string => {
    let length = 0
    for (;;) {
      const count = fs.readSync(descriptor, buffer, length, buffer.length - length, length)
      length += count
      if (count === 0) return buffer.toString('latin1', 0, length)
      if (length === buffer.length) throw new Error(`Cannot read numbers: the file has more than ${MAX_BYTES} bytes`)
    }
  }

  const readFile = ({ processFolder }: OpenSet, { path, wanted, descriptor }: OpenFile): readonly (number | null)[] => {
    if (descriptor === null) return wanted.map(() => null)
    if (descriptor !== undefined) return countedNumbers(textOf(descriptor), wanted)
    // Opened through the folder's descriptor: /proc/PID by its path may be another process by now.
    const file = openToRead(`/proc/self/fd/${processFolder}/${path}`)
    if (file === null) throw new Error('Cannot read numbers: the process ended')
    try {
      return countedNumbers(textOf(file), wanted)
    } finally {
      fs.closeSync(file)
    }
  }

  const readSet = (set: OpenSet | undefined): CounterNumbers => {
    if (set === undefined || set.isGone) return null
    try {
      return set.files.flatMap((file) => readFile(set, file))
    } catch {
      set.isGone = true
      return null
    }
  }

  const close = (id: number): void => {
    const set = sets.get(id)
    if (set === undefined) return
    sets.delete(id)
    fs.closeSync(set.processFolder)
    for (const { descriptor } of set.files) if (typeof descriptor === 'number') fs.closeSync(descriptor)
  }

  return {
    open: (id, { processFolder, files }: WantedCounters) => {
      close(id)
      const folder = openToRead(processFolder)
      if (folder === null) return false
      const opened = files.map((file): OpenFile => (file.path.startsWith('/') ? { ...file, descriptor: openToRead(file.path) } : file))
      sets.set(id, { processFolder: folder, files: opened, isGone: false })
      return true
    },
    read: (ids) => ids.map((id) => readSet(sets.get(id))),
    close,
  }
}
