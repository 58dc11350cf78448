/**
 * Interface between the agent and the host program that runs it. There is one implementation on Node and one in a small
 * native host; the agent itself compiles against the bare language.
 *
 * Calls never throw; an expected failure is `null` or a text. The caller chooses ids, and results arrive as events from
 * the loop, never inside the call. Only file reads may block.
 */
export type Runtime = {
  /** Sets the receiver of all events. Called once, before any other call. */
  readonly listen: (events: RuntimeEvents) => void

  /** The file as UTF-8, invalid sequences replaced; `null` when it cannot be read or is longer than `maxBytes` (default 1 MiB). */
  readonly readText: (path: string, maxBytes?: number) => string | null
  readonly readBytes: (path: string, maxBytes?: number) => Bytes | null
  readonly readLink: (path: string) => string | null
  /** Names in a folder, in lexical order. */
  readonly listDir: (path: string) => string[] | null
  readonly stat: (path: string) => FileFacts | null
  /** Size of a filesystem. A dead network mount does not block it: the host returns `null` or the last known size. */
  readonly statfs: (path: string) => FilesystemFacts | null
  /** Writes atomically and flushes; creates missing folders (0755). Returns the error's text, or `null` on success. */
  readonly writeFile: (path: string, data: Bytes, mode: number) => string | null
  readonly remove: (path: string) => string | null
  /**
   * Reads files that may wait for a device, one after the other outside the loop: `onSlowTexts(id)` once, at the latest after `deadlineMs`. A file
   * whose read hangs is not read again before that read has ended.
   */
  readonly readSlow: (id: number, paths: readonly string[], limits: SlowLimits) => void
  /** Opens a process's counter files for repeated reads with `countersRead`. False when there is no such process. */
  readonly countersOpen: (id: number, wanted: WantedCounters) => boolean
  /**
   * The current numbers of each set, in the order of `wanted`; `null` for a set that is not open, whose process ended or that lost a file.
   * It stays `null`: a new process with the same PID, or a new file with the same name, counts something else.
   */
  readonly countersRead: (ids: readonly number[]) => readonly CounterNumbers[]
  readonly countersClose: (id: number) => void

  readonly clock: () => Clock
  readonly info: () => RuntimeInfo
  readonly env: (name: string) => string | null
  readonly log: (level: LogLevel, text: string) => void
  /** Writes to standard output; for the result of a subcommand. */
  readonly print: (text: string) => void
  readonly onSignal: (names: readonly SignalName[]) => void
  readonly exit: (code: number) => void
  /** `onTimer(id)` once after `ms`; a negative `ms` cancels. */
  readonly timer: (id: number, ms: number) => void

  /**
   * Drops permissions of this process for good: new privileges, most system calls, writing outside the folders in `needs`, and running
   * programs where none of those in `needs` is installed.
   */
  readonly confine: (needs: Needs) => Confinement
  /** Changes the user for good; call it before other threads start. `null` on success or when not root, else the reason why it stays root. */
  readonly becomeUser: (change: UserChange) => string | null
  /** How often this agent exceeded a limit of its host. */
  readonly limitsReached: () => LimitsReached

  readonly http: (id: number, request: HttpRequest) => void
  /** Many requests to one server, of whose JSON responses only some members are read: one event after the last response. */
  readonly httpMembers: (id: number, request: MembersRequest) => void
  /** Opens a raw unix socket. */
  readonly streamOpen: (id: number, unixPath: string) => void
  readonly streamWrite: (id: number, data: Bytes) => void
  readonly streamClose: (id: number) => void
  /** Runs a command from a fixed list that includes the arguments, from a system folder, without a shell. */
  readonly exec: (id: number, argv: readonly string[], limits: ExecLimits) => void
  readonly execKill: (id: number) => void
  readonly wsOpen: (id: number, url: string, headers: readonly Header[], options: WsOptions) => void
  readonly wsSend: (id: number, data: Bytes) => void
  readonly wsClose: (id: number, code: number) => void
  /** Starts the only SSH server. Returns a text when the options are invalid; success or failure to listen is an event. */
  readonly sshListen: (options: SshOptions) => string | null
  /** Writes the data, the exit status, and closes the channel: no hub closes first. */
  readonly sshReply: (requestId: number, data: Bytes, exitStatus: number) => void
  /** Stops listening and closes all connections. */
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
  /** Input of a hub's channel: once when it starts, and again with more standard input (`stdin` is all of it so far). */
  readonly onSsh: (requestId: number, clientIdentification: string, stdin: Bytes, stdinEnded: boolean) => void
  readonly onSshServer: (event: SshServerEvent) => void
  readonly onSignalReceived: (name: SignalName) => void
}

export type Bytes = Uint8Array
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type SignalName = 'SIGINT' | 'SIGTERM'
export type Header = readonly [name: string, value: string]

/** `monotonicMs` never goes back and counts from an arbitrary moment; `wallMs` is epoch milliseconds and can jump. */
export type Clock = { readonly monotonicMs: number; readonly wallMs: number }

export type RuntimeInfo = {
  /** Machine name of uname(2), such as `x86_64`. */
  readonly arch: string
  readonly platform: string
  readonly pid: number
  /** Arguments after the program's own name. */
  readonly argv: readonly string[]
  readonly runtimeVersion: string
}

/** `maxBytes` limits each file, `deadlineMs` the whole call. */
export type SlowLimits = { readonly maxBytes: number; readonly deadlineMs: number }

/** `text` is `null` for a file that is unreadable, too long, or not read in time; `tookMs` is 0 when its read did not start. */
export type SlowText = { readonly text: string | null; readonly tookMs: number }

export type UserChange = {
  /** User id, which is also the group id. */
  readonly user: number
  /** Files and folders that change their owner to this user. */
  readonly owns: readonly string[]
  /** The user joins the groups of these files, where they exist. */
  readonly groupsOf: readonly string[]
}

export type Needs = {
  /** Names of listed programs. */
  readonly programs: readonly string[]
  /** Existing folders that stay writable. */
  readonly writable: readonly string[]
}

/** Sandbox restrictions in force, in a few words each, and the ones that are not available, with the reason. */
export type Confinement = { readonly holds: readonly string[]; readonly lacks: readonly { readonly what: string; readonly why: string }[] }

/**
 * Counts since the start: events whose work exceeded the time limit, and failures from the memory limit. Each ended the current work, such as a
 * sample, but not the process. Node has no such limits, so both stay 0.
 */
export type LimitsReached = { readonly turnsEnded: number; readonly memoryRefused: number }

export type FileFacts = {
  readonly kind: 'file' | 'folder' | 'socket' | 'other'
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Permission bits. */
  readonly mode: number
  /** User id of the owner. */
  readonly owner: number
}

/** statfs(2): `availableBytes` is free for unprivileged users, `freeBytes` includes the space reserved for root. */
export type FilesystemFacts = {
  readonly totalBytes: number
  readonly freeBytes: number
  readonly availableBytes: number
  /** Inodes in total and free; both absent on filesystems that create inodes on demand. */
  readonly totalInodes?: number
  readonly freeInodes?: number
}

export type WantedCounters = {
  /** The folder of the process, such as /proc/1. The set closes when the process ends. */
  readonly processFolder: string
  readonly files: readonly CounterFile[]
}

/** A file of numbers, up to 64 KiB. A file that is missing when the set is opened has no numbers. */
export type CounterFile = {
  /** Absolute, or relative to the folder of the process. */
  readonly path: string
  readonly wanted: readonly CounterPlace[]
}

/**
 * The number `offset` words after the word `after`, or after the start of the line where `after` is empty; the sum over all lines that
 * have one. Words end at blanks, `:` and `=`. A `#` at the end of `after` matches digits: `eth#` is `eth0` and `eth12`.
 */
export type CounterPlace = { readonly after: string; readonly offset: number }

export type CounterNumbers = readonly (number | null)[] | null

export type HttpRequest = {
  readonly to: { readonly kind: 'unix'; readonly path: string } | { readonly kind: 'address'; readonly origin: string }
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: Bytes
  /** Limit of the response body. A longer one fails; a streamed one ends there. */
  readonly maxBytes: number
  /** Timeout from the call to the last byte. */
  readonly deadlineMs: number
  /** Emits the head and each piece of the body as they arrive, instead of one `answer`. */
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
  /** Paths of the GET requests. */
  readonly paths: readonly string[]
  /**
   * Paths of the wanted members in each JSON response: names from the outermost inwards, joined by dots. `*` matches each member of an object or
   * each entry of a list.
   */
  readonly members: readonly string[]
  /** Concurrent requests. */
  readonly atOnce: number
  /** Limit of each response body. */
  readonly maxBytes: number
  /** Timeout of each request, from its start to its last byte. */
  readonly deadlineMs: number
  /** Timeout from the call to the event; requests without a response by then have failed. */
  readonly totalMs: number
}

/**
 * `values` has one entry for each of `members`, in their order. `refused`: another status than 200. `failed`: no response, or not JSON.
 * `endedAtMs` is the monotonic time at which the request ended.
 */
export type MembersAnswer =
  | { readonly kind: 'members'; readonly values: readonly Member[]; readonly endedAtMs: number }
  | { readonly kind: 'refused'; readonly status: number; readonly endedAtMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly endedAtMs: number }

/**
 * The value as `JSON.parse` returns it, with lone surrogates as U+FFFD; `null` when it is missing, or neither a number nor a text. A path with `*`
 * has a list with an entry for each match, or `null` when the value there is neither an object nor a list.
 */
export type Member = null | number | string | readonly Member[]

export type StreamEvent =
  | { readonly kind: 'open' }
  | { readonly kind: 'data'; readonly data: Bytes }
  | { readonly kind: 'closed'; readonly reason: string }

/** `whole`: one event when the program ends. `stream`: an event for each piece of output while it runs. */
export type ExecLimits =
  | { readonly mode: 'whole'; readonly deadlineMs: number; readonly maxOutputBytes: number }
  /** Timeout between two pieces. */
  | { readonly mode: 'stream'; readonly silenceMs: number }

/**
 * `exited` has the whole standard output, or nothing when it was streamed. A program over a limit is killed and ends with
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
   * Pinned certificate: its SHA-256, 64 hexadecimal digits in lower case. Issuer, name and expiry are not checked, and nothing is sent to a
   * server with another certificate. Without a pin the certificate is verified against the trusted authorities.
   */
  readonly certificateSha256?: string | undefined
  /** The connection is dropped after this long without a message or ping from the peer. */
  readonly silenceMs: number
}

/** `refused`: an HTTP response instead of an upgrade. `failed`: no connection (`nameNotFound`: DNS has no address). `closed`: it ended. */
export type WsEnd =
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly nameNotFound?: true }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }

export type SshAddress =
  | { readonly kind: 'tcp'; readonly host?: string; readonly port: number; readonly ipv6Only?: true }
  | { readonly kind: 'unix'; readonly path: string }

export type SshOptions = {
  readonly address: SshAddress
  /** Software version in the identification string, after `SSH-2.0-` (RFC 4253, section 4.2). */
  readonly identification: string
  /** An Ed25519 host key in OpenSSH form, made on first use (0600); without a path a new one lives as long as the process. */
  readonly hostKeyPath?: string
  /** Authorised public keys: OpenSSH key type and key blob. */
  readonly authorisedKeys: readonly { readonly algorithm: string; readonly blob: Bytes }[]
  /** Limit of one channel's input. The piece that exceeds it is still reported; then the input counts as ended. */
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
