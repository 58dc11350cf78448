import { SourceUnreadable } from './source-unreadable.ts'
import type { FilesystemFacts, Runtime } from '../runtime/runtime.ts'

/** Where the kernel's and the distribution's files are; others than the usual when the agent runs in a container. */
export type Roots = {
  readonly proc: string
  readonly sys: string
  readonly etc: string
  /** Mountinfo file to read instead of that of the first process. */
  readonly mountInfo?: string | undefined
}

/** Reads and lists below configurable roots. */
export type ProcSource = {
  /** Throws `SourceUnreadable` when the file cannot be read. */
  readonly readProc: (path: string) => string
  readonly tryProc: (path: string) => string | undefined
  readonly trySys: (path: string) => string | undefined
  /** Names in lexical order; empty when there is no such folder. */
  readonly listSys: (path: string) => readonly string[]
  readonly tryEtc: (path: string) => string | undefined
  /** /proc/PID/mountinfo of the machine's first process or the file configured for it, else the agent's own. */
  readonly machineMountInfo: () => string | undefined
  /**
   * /proc/net/dev of the machine's first process where another /proc was configured, since that path is the reader's own
   * network everywhere. Throws `SourceUnreadable`.
   */
  readonly readNetDev: () => string
  /** Files of the agent's own root filesystem, independent of the configured roots. Paths are absolute. */
  readonly own: {
    readonly tryText: (path: string) => string | undefined
    readonly list: (path: string) => readonly string[]
    readonly exists: (path: string) => boolean
  }
  readonly statfs: (path: string) => FilesystemFacts | undefined
  /** Absolute paths below the configured roots. */
  readonly paths: { readonly proc: (path: string) => string; readonly sys: (path: string) => string }
}

/** /proc/stat of a machine with a thousand CPUs and interrupts stays below this. */
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
