import { SourceUnreadable } from './source-unreadable.ts'
import type { FilesystemFacts, Runtime } from '../runtime/runtime.ts'

/**
 * Paths of the folders from which the agent reads the kernel's and the distribution's files, by default `/proc`, `/sys` and `/etc`. In a
 * container they may be others, such as `/host/proc`.
 */
export type Roots = {
  readonly proc: string
  readonly sys: string
  readonly etc: string
  /** Path of a mountinfo file to read instead of /proc/1/mountinfo for the machine's mounts; `undefined` to read /proc/1/mountinfo. */
  readonly mountInfo?: string | undefined
}

/**
 * Functions that read files and folders below configurable roots of /proc, /sys and /etc, and, by absolute path, the agent's own files and
 * filesystem sizes. Names with `read` throw and names with `try` return `undefined` for an unreadable file.
 */
export type ProcSource = {
  /** Returns the text of a file below the /proc root. Throws `SourceUnreadable` when it cannot be read. */
  readonly readProc: (path: string) => string
  readonly tryProc: (path: string) => string | undefined
  readonly trySys: (path: string) => string | undefined
  /** Returns the list of names in a folder below the /sys root, in lexical order; empty when there is no such folder. */
  readonly listSys: (path: string) => readonly string[]
  readonly tryEtc: (path: string) => string | undefined
  /**
   * Returns the mountinfo of the machine's first process or the configured file, else the agent's own. `undefined` when none is readable.
   */
  readonly machineMountInfo: () => string | undefined
  /**
   * Returns the text of /proc/net/dev. With another /proc root it is read from the machine's first process there, because `net` shows the
   * network of the process that reads. Throws `SourceUnreadable`.
   */
  readonly readNetDev: () => string
  /**
   * Functions that read a text file, list a folder or check a path in the agent's own filesystem, by absolute path. The configured roots of
   * /proc, /sys and /etc have no effect on them.
   */
  readonly own: {
    readonly tryText: (path: string) => string | undefined
    readonly list: (path: string) => readonly string[]
    readonly exists: (path: string) => boolean
  }
  readonly statfs: (path: string) => FilesystemFacts | undefined
  /** Functions that return the absolute path of a file below the configured /proc or /sys root. */
  readonly paths: { readonly proc: (path: string) => string; readonly sys: (path: string) => string }
}

/**
 * Size limit in bytes, 4 MiB, of a file below /proc, /sys or /etc; a longer file counts as unreadable. The /proc/stat of a machine with
 * 1,000 CPUs and interrupts is smaller.
 */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

export function procSource(runtime: Runtime, roots: Roots): ProcSource {
  const read = (path: string) => runtime.readText(path, MAX_TEXT_BYTES) ?? undefined
  const readProc = (path: string): string => {
    const text = read(`${roots.proc}/${path}`)
    if (text === undefined) throw new SourceUnreadable(`Cannot read "${roots.proc}/${path}"`)
    return text
  }
  return {
    readProc,
    readNetDev: () => (roots.proc === '/proc' ? undefined : read(`${roots.proc}/1/net/dev`)) ?? readProc('net/dev'),
    tryProc: (path) => read(`${roots.proc}/${path}`),
    trySys: (path) => read(`${roots.sys}/${path}`),
    listSys: (path) => runtime.listDir(`${roots.sys}/${path}`) ?? [],
    tryEtc: (path) => read(`${roots.etc}/${path}`),
    machineMountInfo: () =>
      (roots.mountInfo === undefined ? undefined : read(roots.mountInfo)) ??
      read(`${roots.proc}/1/mountinfo`) ??
      read(`${roots.proc}/self/mountinfo`),
    own: {
      tryText: read,
      list: (path) => runtime.listDir(path) ?? [],
      exists: (path) => runtime.stat(path) !== null,
    },
    statfs: (path) => runtime.statfs(path) ?? undefined,
    paths: { proc: (path) => `${roots.proc}/${path}`, sys: (path) => `${roots.sys}/${path}` },
  }
}
