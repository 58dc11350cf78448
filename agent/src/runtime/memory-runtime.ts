import { ownValue } from '@vedette/protocol/own-value'
import { countedNumbers } from './node/counted-numbers.ts'
import { memberRequests } from './node/member-requests.ts'
import type {
  ByteTools,
  Bytes,
  ExecEvent,
  ExecLimits,
  FilesystemFacts,
  HttpEvent,
  HttpRequest,
  LimitsReached,
  LogLevel,
  Runtime,
  RuntimeEvents,
  StreamEvent,
  WantedCounters,
} from './runtime.ts'

/**
 * Program that the agent started in the in-memory runtime for tests. The test calls `tell` to emit an event of the program, such as output;
 * after the program is killed, this does nothing.
 */
export type MemoryProgram = {
  readonly argv: readonly string[]
  readonly limits: ExecLimits
  readonly tell: (event: ExecEvent) => void
  readonly isKilled: () => boolean
}

/**
 * Server side of a unix socket that the agent opened in the in-memory runtime for tests. The test calls `tell` to emit an event, and sets
 * with `onWrite` the receiver of what the agent writes.
 */
export type MemorySocket = {
  readonly path: string
  readonly tell: (event: StreamEvent) => void
  readonly onWrite: (heard: (data: Bytes) => void) => void
}

export type MemoryWorld = {
  /** Fake files of the in-memory runtime, as a map from absolute path to content. A folder exists if a path lies below it. */
  readonly files: Readonly<Record<string, string>>
  readonly filesystems?: Readonly<Record<string, FilesystemFacts>>
  /**
   * Function of a test that acts as HTTP server: it takes each request and returns its response as one or several `HttpEvent`s. `undefined`
   * means no response yet; `tell` emits later events.
   */
  readonly answer?: (request: HttpRequest, tell: (event: HttpEvent) => void) => HttpEvent | readonly HttpEvent[] | undefined
  /**
   * Function of a test that acts as the started program: it takes command line and limits, and emits output and end with `program.tell`.
   * Without it, no program is installed.
   */
  readonly run?: (program: MemoryProgram) => void
  /**
   * Function of a test that acts as server of each opened unix socket: it sends with `socket.tell` and receives with `socket.onWrite`.
   * Without it, every connection fails.
   */
  readonly accept?: (socket: MemorySocket) => void
  readonly env?: Readonly<Record<string, string>>
  readonly argv?: readonly string[]
  readonly arch?: string
  readonly limitsReached?: Partial<LimitsReached>
  /** Function that takes a path and returns the simulated duration in ms of a `readSlow` of this file. Absent: slow reads take 0 ms. */
  readonly readTookMs?: (path: string) => number
  readonly bytes: ByteTools
}

export type MemoryRuntime = {
  readonly runtime: Runtime
  /** Moves the in-memory runtime's clock forward by `ms`, and fires in order the timers that are then due. */
  readonly advance: (ms: number) => void
  /**
   * For tests: replaces all fake files of the in-memory runtime by those of `files` (path to content), such as a recorded machine's next
   * moment.
   */
  readonly replaceFiles: (files: Readonly<Record<string, string>>) => void
  readonly files: ReadonlyMap<string, string>
  /**
   * For tests: returns how many processes' counter files (kernel files with CPU, memory and traffic counters) the agent has open in its
   * simulated runtime.
   */
  readonly openCounters: () => number
  readonly logged: readonly { readonly level: LogLevel; readonly text: string }[]
}

/** Time in epoch ms that the wall clock of the in-memory runtime shows at its start. Its monotonic clock starts at 0. */
const WALL_START_MS = 1_800_000_000_000

/**
 * Creates an in-memory runtime for tests: recorded files, recorded responses, and a clock that moves only with `advance`. It does no I/O.
 */
export function memoryRuntime(world: MemoryWorld): MemoryRuntime {
  let files = new Map(Object.entries(world.files))
  let nowMs = 0
  let events: RuntimeEvents | undefined
  const timers = new Map<number, { readonly dueMs: number; readonly fire: () => void }>()
  /**
   * Last id of a timer that the in-memory runtime started for itself. These ids count down from -1; ids of the tested program are positive.
   */
  let lastOwnId = 0
  const writtenAtMs = new Map<string, number>()
  const logged: { level: LogLevel; text: string }[] = []
  const killed = new Set<number>()
  const counters = new Map<number, WantedCounters>()
  const writers = new Map<number, (data: Bytes) => void>()
  const later = (tell: (heard: RuntimeEvents) => void): void => {
    void Promise.resolve().then(() => events && tell(events))
  }
  const inside = (folder: string): readonly string[] => [...files.keys()].filter((path) => path.startsWith(`${folder}/`))

  /**
   * Simulates `countersRead` for one process: returns the current numbers of its open counter files as a list. `null` if none are open, the
   * process is gone, or a file in its procfs folder is missing. A missing file elsewhere, such as of a cgroup, gives `null` for its numbers
   * only.
   */
  const numbersOf = (set: WantedCounters | undefined): readonly (number | null)[] | null => {
    if (set === undefined || inside(set.processFolder).length === 0) return null
    const texts = set.files.map(({ path }) => files.get(path.startsWith('/') ? path : `${set.processFolder}/${path}`))
    if (texts.some((text, place) => text === undefined && set.files[place]?.path.startsWith('/') === false)) return null
    return set.files.flatMap(({ wanted }, place) => countedNumbers(texts[place] ?? '', wanted))
  }

  const ask = (request: HttpRequest, emit: (event: HttpEvent) => void): void => {
    const event = world.answer?.(request, emit)
    for (const one of event === undefined ? [] : [event].flat()) later(() => emit(one))
  }
  const askMembers = memberRequests({
    ask,
    after: (ms, action) => {
      const id = --lastOwnId
      timers.set(id, { dueMs: nowMs + ms, fire: action })
      return () => void timers.delete(id)
    },
    nowMs: () => nowMs,
    fromUtf8: world.bytes.fromUtf8,
  })

  const runtime: Runtime = {
    listen: (heard) => {
      events = heard
    },
    readText: (path, maxBytes) => shorter(files.get(path), maxBytes),
    readBytes: (path, maxBytes) => {
      const text = shorter(files.get(path), maxBytes)
      return text === null ? null : world.bytes.utf8(text)
    },
    readLink: () => null,
    listDir: (folder) => {
      const names = inside(folder).map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? '')
      return names.length === 0 ? null : [...new Set(names)].toSorted()
    },
    stat: (path) => {
      const text = files.get(path)
      const modifiedMs = WALL_START_MS + (writtenAtMs.get(path) ?? 0)
      if (text !== undefined) return { kind: 'file', sizeBytes: text.length, modifiedMs, mode: 0o644, owner: 0 }
      return inside(path).length === 0 ? null : { kind: 'folder', sizeBytes: 0, modifiedMs: WALL_START_MS, mode: 0o755, owner: 0 }
    },
    statfs: (path) => ownValue(world.filesystems, path) ?? null,
    writeFile: (path, data) => {
      files.set(path, world.bytes.fromUtf8(data))
      writtenAtMs.set(path, nowMs)
      return null
    },
    remove: (path) => (files.delete(path) ? null : `no such file: ${path}`),
    readSlow: (id, paths, { maxBytes }) => {
      const texts = paths.map((path) => ({ text: shorter(files.get(path), maxBytes), tookMs: world.readTookMs?.(path) ?? 0 }))
      later((heard) => heard.onSlowTexts(id, texts))
    },
    countersOpen: (id, wanted) => {
      const isThere = inside(wanted.processFolder).length > 0
      if (isThere) counters.set(id, wanted)
      return isThere
    },
    countersRead: (ids) => ids.map((id) => numbersOf(counters.get(id))),
    countersClose: (id) => void counters.delete(id),
    clock: () => ({ monotonicMs: nowMs, wallMs: WALL_START_MS + nowMs }),
    info: () => ({ arch: world.arch ?? 'x86_64', platform: 'linux', pid: 1, argv: world.argv ?? [], runtimeVersion: 'memory' }),
    env: (name) => ownValue(world.env, name) ?? null,
    log: (level, text) => {
      logged.push({ level, text })
    },
    print: (text) => {
      logged.push({ level: 'info', text })
    },
    onSignal: () => undefined,
    exit: () => undefined,
    timer: (id, ms) => {
      if (ms < 0) timers.delete(id)
      else timers.set(id, { dueMs: nowMs + ms, fire: () => events?.onTimer(id) })
    },
    confine: () => ({ holds: [], lacks: [] }),
    becomeUser: () => null,
    limitsReached: () => ({ turnsEnded: 0, memoryRefused: 0, ...world.limitsReached }),
    http: (id, request) => ask(request, (event) => events?.onHttp(id, event)),
    httpMembers: (id, request) => askMembers(request, (answers) => events?.onHttpMembers(id, answers)),
    streamOpen: (id, path) => {
      const tell = (event: StreamEvent): void => later((heard) => heard.onStream(id, event))
      if (world.accept === undefined) return tell({ kind: 'closed', reason: 'there is no network' })
      world.accept({ path, tell, onWrite: (heard) => writers.set(id, heard) })
    },
    streamWrite: (id, data) => writers.get(id)?.(data),
    streamClose: (id) => {
      if (writers.delete(id)) later((heard) => heard.onStream(id, { kind: 'closed', reason: 'closed' }))
    },
    exec: (id, argv, limits) => {
      const tell = (event: ExecEvent): void => {
        if (!killed.has(id)) later((heard) => heard.onExec(id, event))
      }
      if (world.run === undefined) return tell({ kind: 'failed', reason: `"${argv[0]}" is not installed` })
      world.run({ argv, limits, tell, isKilled: () => killed.has(id) })
    },
    execKill: (id) => {
      killed.add(id)
      later((heard) => heard.onExec(id, { kind: 'failed', reason: 'ended by SIGKILL' }))
    },
    wsOpen: (id) => later((heard) => heard.onWsClose(id, { kind: 'failed', reason: 'there is no network' })),
    wsSend: () => undefined,
    wsClose: () => undefined,
    sshListen: () => 'there is no network',
    sshReply: () => undefined,
    sshClose: () => undefined,
    bytes: world.bytes,
  }

  return {
    runtime,
    advance: (ms) => {
      const until = nowMs + ms
      for (;;) {
        const [next] = [...timers].filter(([, { dueMs }]) => dueMs <= until).toSorted(([, a], [, b]) => a.dueMs - b.dueMs)
        if (next === undefined) break
        timers.delete(next[0])
        nowMs = Math.max(nowMs, next[1].dueMs)
        next[1].fire()
      }
      nowMs = until
    },
    replaceFiles: (replacement) => {
      files = new Map(Object.entries(replacement))
    },
    get files() {
      return files
    },
    openCounters: () => counters.size,
    logged,
  }
}

const shorter = (text: string | undefined, maxBytes = 1024 * 1024): string | null =>
  text === undefined || text.length > maxBytes ? null : text
