/**
 * Everything the agent needs from the program that runs it. There is one implementation on Node and one in a small native
 * host; the agent itself compiles against the bare language.
 *
 * Calls never throw; an expected failure is `null` or a text. Ids are chosen by the caller, and answers come back as
 * events from the loop, never inside the call. Only reads of files may block.
 */
export type Runtime = {
  /** Who hears the events; called once, before anything else. */
  readonly listen: (events: RuntimeEvents) => void

  /** The file as UTF-8, invalid sequences replaced; `null` when it cannot be read or is longer than `maxBytes` (default 1 MiB). */
  readonly readText: (path: string, maxBytes?: number) => string | null
  readonly readBytes: (path: string, maxBytes?: number) => Bytes | null
  readonly readLink: (path: string) => string | null
  /** Names in a folder, in lexical order. */
  readonly listDir: (path: string) => string[] | null
  readonly stat: (path: string) => FileFacts | null
  /** Never held up by a dead network mount: there the host gives up in time, or answers what it knew last. */
  readonly statfs: (path: string) => FilesystemFacts | null
  /** Atomic and flushed; missing folders are made (0755). The error's text, or `null` when written. */
  readonly writeFile: (path: string, data: Bytes, mode: number) => string | null
  readonly remove: (path: string) => string | null
  /**
   * Reads files that may wait for a device, one after the other beside the loop: `onSlowTexts(id)` once, at the latest after `deadlineMs`. A file that
   * does not answer is not asked again before it has.
   */
  readonly readSlow: (id: number, paths: readonly string[], limits: SlowLimits) => void
  /** Opens the files of a process whose numbers will be read again and again. False when there is no such process. */
  readonly countersOpen: (id: number, wanted: WantedCounters) => boolean
  /**
   * The numbers of each set as they are now, in the order they are wanted; `null` for a set that is not open, whose process ended or one of whose
   * files is gone. It stays so: a new process of the same number, or a new file of the same name, counts something else.
   */
  readonly countersRead: (ids: readonly number[]) => readonly CounterNumbers[]
  readonly countersClose: (id: number) => void

  readonly clock: () => Clock
  readonly info: () => RuntimeInfo
  readonly env: (name: string) => string | null
  readonly log: (level: LogLevel, text: string) => void
  /** Standard output, for what was asked on the command line. */
  readonly print: (text: string) => void
  readonly onSignal: (names: readonly SignalName[]) => void
  readonly exit: (code: number) => void
  /** `onTimer(id)` once after `ms`; a negative `ms` cancels. */
  readonly timer: (id: number, ms: number) => void

  /**
   * Gives up for good what this process no longer needs, once it knows what it is to do: new privileges, most system calls, writing anywhere but
   * below some folders, and running programs where none of those wanted is installed.
   */
  readonly confine: (needs: Needs) => Confinement
  /** Becomes another user for good; before anything goes on beside. `null` when done or when this user is not root, else the reason: it stays root. */
  readonly becomeUser: (change: UserChange) => string | null
  /** How often this agent wanted more than its host allows. */
  readonly limitsReached: () => LimitsReached

  readonly http: (id: number, request: HttpRequest) => void
  /** Many requests to one server, of whose JSON answers only some members are wanted: one event once all are answered. */
  readonly httpMembers: (id: number, request: MembersRequest) => void
  /** A raw unix socket. */
  readonly streamOpen: (id: number, unixPath: string) => void
  readonly streamWrite: (id: number, data: Bytes) => void
  readonly streamClose: (id: number) => void
  /** Runs a listed command, each argument included, from a system folder; never anything else and never through a shell. */
  readonly exec: (id: number, argv: readonly string[], limits: ExecLimits) => void
  readonly execKill: (id: number) => void
  readonly wsOpen: (id: number, url: string, headers: readonly Header[], options: WsOptions) => void
  readonly wsSend: (id: number, data: Bytes) => void
  readonly wsClose: (id: number, code: number) => void
  /** Starts the one SSH server. A text when the options cannot be used; whether it listens is an event. */
  readonly sshListen: (options: SshOptions) => string | null
  /** Writes the data, the exit status, and closes the channel: no hub closes first. */
  readonly sshReply: (requestId: number, data: Bytes, exitStatus: number) => void
  /** Ends listening and open connections. */
  readonly sshClose: () => void

  readonly bytes: ByteTools
}

export type RuntimeEvents = {
  readonly onTimer: (id: number) => void
  readonly onHttp: (id: number, event: HttpEvent) => void
  /** In the order of the paths. */
  readonly onSlowTexts: (id: number, texts: readonly SlowText[]) => void
  /** In the order of the paths. */
  readonly onHttpMembers: (id: number, answers: readonly MembersAnswer[]) => void
  readonly onStream: (id: number, event: StreamEvent) => void
  readonly onExec: (id: number, event: ExecEvent) => void
  readonly onWsOpen: (id: number) => void
  readonly onWsMessage: (id: number, data: Bytes) => void
  readonly onWsClose: (id: number, end: WsEnd) => void
  /** A hub's channel: once when it starts, again whenever more of its standard input is there (`stdin` is all of it so far). */
  readonly onSsh: (requestId: number, clientIdentification: string, stdin: Bytes, stdinEnded: boolean) => void
  readonly onSshServer: (event: SshServerEvent) => void
  readonly onSignalReceived: (name: SignalName) => void
}

export type Bytes = Uint8Array
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type SignalName = 'SIGINT' | 'SIGTERM'
export type Header = readonly [name: string, value: string]

/** `monotonicMs` never goes back and counts from an arbitrary moment; `wallMs` is epoch milliseconds and may be set. */
export type Clock = { readonly monotonicMs: number; readonly wallMs: number }

export type RuntimeInfo = {
  /** As uname(2) says, such as `x86_64`. */
  readonly arch: string
  readonly platform: string
  readonly pid: number
  /** Arguments after the program's own name. */
  readonly argv: readonly string[]
  readonly runtimeVersion: string
}

/** `maxBytes` of each file. */
export type SlowLimits = { readonly maxBytes: number; readonly deadlineMs: number }

/** `null` for a file that cannot be read, is longer than allowed, or was not read in time; `tookMs` is 0 where it was not begun. */
export type SlowText = { readonly text: string | null; readonly tookMs: number }

export type UserChange = {
  /** Number of the user and of its group. */
  readonly user: number
  /** Files and folders that become this user's. */
  readonly owns: readonly string[]
  /** The user joins the groups of these files, as far as they are there. */
  readonly groupsOf: readonly string[]
}

export type Needs = {
  /** Names of listed programs. */
  readonly programs: readonly string[]
  /** Folders that are there. */
  readonly writable: readonly string[]
}

/** What holds from now on, in a few words each, and what could not be had. */
export type Confinement = { readonly holds: readonly string[]; readonly lacks: readonly { readonly what: string; readonly why: string }[] }

/**
 * Since the start: events whose work went on too long, and failures since no memory was given. Each ended what was being worked on, such as a
 * sample, and not the process. Node has no such limits and counts nothing.
 */
export type LimitsReached = { readonly turnsEnded: number; readonly memoryRefused: number }

export type FileFacts = {
  readonly kind: 'file' | 'folder' | 'socket' | 'other'
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Permission bits. */
  readonly mode: number
  /** Number of the owner. */
  readonly owner: number
}

/** statfs(2): `availableBytes` is what unprivileged users may still fill, `freeBytes` includes the reserve. */
export type FilesystemFacts = {
  readonly totalBytes: number
  readonly freeBytes: number
  readonly availableBytes: number
  /** Files and folders it can hold, and how many more; both absent where it makes them as needed. */
  readonly totalInodes?: number
  readonly freeInodes?: number
}

export type WantedCounters = {
  /** The folder of the process, such as /proc/1. Its end is the end of what is counted. */
  readonly processFolder: string
  readonly files: readonly CounterFile[]
}

/** A file of numbers, up to 64 KiB. Where it is not there from the start it has none. */
export type CounterFile = {
  /** Absolute, or relative to the folder of the process. */
  readonly path: string
  readonly wanted: readonly CounterPlace[]
}

/**
 * The number that stands `offset` words after the word `after`, or after the beginning of the line where that is empty; added up over all lines
 * that have one. Words end at blanks, `:` and `=`. A `#` at the end of `after` stands for digits: `eth#` is `eth0` and `eth12`.
 */
export type CounterPlace = { readonly after: string; readonly offset: number }

export type CounterNumbers = readonly (number | null)[] | null

export type HttpRequest = {
  readonly to: { readonly kind: 'unix'; readonly path: string } | { readonly kind: 'address'; readonly origin: string }
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: Bytes
  /** Of the body; a longer answer fails, a streamed one ends there. */
  readonly maxBytes: number
  /** From the call to the last byte. */
  readonly deadlineMs: number
  /** Report the head and each piece of the body as they come instead of one answer. */
  readonly stream?: boolean
}

/** Header names are lower case. A request ends with `answer`, `end` or `failed`. */
export type HttpEvent =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly Header[]; readonly body: Bytes }
  | { readonly kind: 'head'; readonly status: number; readonly headers: readonly Header[] }
  | { readonly kind: 'piece'; readonly data: Bytes }
  /** `cut`: there was more than `maxBytes`; nothing beyond them was read or reported. */
  | { readonly kind: 'end'; readonly cut: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export type MembersRequest = {
  readonly to: HttpRequest['to']
  readonly headers: readonly Header[]
  /** Each is asked for with GET. */
  readonly paths: readonly string[]
  /**
   * Where in each answer something is wanted: names of members, from the outermost inwards, joined by dots. `*` stands for each member of an object, or
   * each entry of a list.
   */
  readonly members: readonly string[]
  /** Requests under way at the same time. */
  readonly atOnce: number
  /** Of each body. */
  readonly maxBytes: number
  /** Of each request, from its beginning to its last byte. */
  readonly deadlineMs: number
  /** From the call to the event: what is not answered until then has failed. */
  readonly totalMs: number
}

/**
 * `values` has one for each of `members`, in their order. `refused`: another status than 200. `failed`: there was no answer, or none that is JSON.
 * `endedAtMs` says when that was known, by the monotonic clock.
 */
export type MembersAnswer =
  | { readonly kind: 'members'; readonly values: readonly Member[]; readonly endedAtMs: number }
  | { readonly kind: 'refused'; readonly status: number; readonly endedAtMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly endedAtMs: number }

/**
 * As `JSON.parse` has it, but that lone surrogates in a text are U+FFFD; `null` where nothing is, or neither number nor text. A path with `*` has a list,
 * with an entry for each of what `*` stands for, or `null` where that is neither object nor list.
 */
export type Member = null | number | string | readonly Member[]

export type StreamEvent =
  | { readonly kind: 'open' }
  | { readonly kind: 'data'; readonly data: Bytes }
  | { readonly kind: 'closed'; readonly reason: string }

/** One answer when the program ends; or, streamed, each piece of output for as long as it runs. */
export type ExecLimits =
  | { readonly mode: 'whole'; readonly deadlineMs: number; readonly maxOutputBytes: number }
  /** The longest time between two pieces. */
  | { readonly mode: 'stream'; readonly silenceMs: number }

/**
 * `exited` has everything written to standard output, nothing when that was streamed. A program over a limit is killed and
 * `failed`. No program outlives the agent.
 */
export type ExecEvent =
  | { readonly kind: 'piece'; readonly data: Bytes }
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: Bytes }
  | { readonly kind: 'failed'; readonly reason: string }

export type WsOptions = {
  readonly connectDeadlineMs: number
  readonly maxMessageBytes: number
  /** `socks5h://[user:password@]host[:port]` (RFC 1928) or the same with `http` (CONNECT); either resolves the name too. None: direct. */
  readonly proxy?: string | undefined
  /**
   * The only certificate the server may show, whoever signed it, for whom and until when: its SHA-256, 64 hexadecimal digits in lower case.
   * Nothing is sent to a server with another one. Without it authorities are asked.
   */
  readonly certificateSha256?: string | undefined
  /** The connection is dropped after this long without a message or ping from the peer. */
  readonly silenceMs: number
}

/** `refused` is an HTTP answer instead of an upgrade, `failed` a connection that never was (`nameNotFound`: the host's name has no address), `closed` one that ended. */
export type WsEnd =
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly nameNotFound?: true }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }

export type SshAddress =
  | { readonly kind: 'tcp'; readonly host?: string; readonly port: number; readonly ipv6Only?: true }
  | { readonly kind: 'unix'; readonly path: string }

export type SshOptions = {
  readonly address: SshAddress
  /** What follows `SSH-2.0-`. */
  readonly identification: string
  /** An Ed25519 host key in OpenSSH form, made on first use (0600); without a path a new one lives as long as the process. */
  readonly hostKeyPath?: string
  /** The only keys let in: OpenSSH key type and key blob. */
  readonly authorisedKeys: readonly { readonly algorithm: string; readonly blob: Bytes }[]
  /** Of one channel; what makes it longer is still told, then its input counts as ended. */
  readonly maxRequestBytes: number
  /** A connection is dropped after this long without a byte in either direction. */
  readonly silenceMs: number
}

export type SshServerEvent =
  | { readonly kind: 'listening'; readonly port?: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly addressInUse: boolean }
  | { readonly kind: 'refused'; readonly clientAddress: string }

export type ByteTools = {
  /** Lone surrogates become U+FFFD. */
  readonly utf8: (text: string) => Bytes
  /** Invalid sequences become U+FFFD. */
  readonly fromUtf8: (bytes: Bytes) => string
  readonly equal: (one: Bytes, other: Bytes) => boolean
  readonly sha256: (bytes: Bytes) => Bytes
  /** RFC 8032. `publicKey` is 32 bytes, `signature` 64; anything else is false. */
  readonly ed25519Verify: (publicKey: Bytes, message: Bytes, signature: Bytes) => boolean
  readonly random: (count: number) => Bytes
}
