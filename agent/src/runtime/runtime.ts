/**
 * Functions by which the agent uses its host program, Node or the small native host in Rust; the agent's own code uses no other platform
 * API. Calls never throw (an expected failure is `null` or an error text), and only file reads may block. Results of asynchronous calls,
 * whose ids the caller chooses, arrive as events, never inside the call.
 */
export type Runtime = {
  /**
   * Sets the receiver of all events of the runtime (Node or native), such as expired timers and HTTP responses. Call it once, before any
   * other call of the runtime.
   */
  readonly listen: (events: RuntimeEvents) => void

  /**
   * Returns a file's content as UTF-8, with invalid sequences replaced by U+FFFD. `null` when the file cannot be read or is longer than
   * `maxBytes` (default 1 MiB).
   */
  readonly readText: (path: string, maxBytes?: number) => string | null
  readonly readBytes: (path: string, maxBytes?: number) => Bytes | null
  readonly readLink: (path: string) => string | null
  /** Returns the list of names in a folder, in lexical order; `null` when the folder cannot be read. */
  readonly listDir: (path: string) => string[] | null
  readonly stat: (path: string) => FileFacts | null
  /**
   * Returns the sizes of the filesystem at a path in bytes, statfs(2); `null` when unknown. A dead network mount does not block the call:
   * the result is then `null` or the last known size.
   */
  readonly statfs: (path: string) => FilesystemFacts | null
  /**
   * Writes a file atomically, flushes it to disk and creates missing parent folders (0755). Returns the error's text, or `null` on success.
   */
  readonly writeFile: (path: string, data: Bytes, mode: number) => string | null
  readonly remove: (path: string) => string | null
  /**
   * Starts to read files whose driver may wait for its device, such as those of sensors, one after the other, outside the event loop. All
   * texts arrive in one `onSlowTexts(id)` event, after `deadlineMs` at the latest. A file whose earlier read still hangs is not read.
   */
  readonly readSlow: (id: number, paths: readonly string[], limits: SlowLimits) => void
  /**
   * Opens counter files of a process (such as /proc/PID/net/dev and cgroup files) under `id`, for repeated reads with `countersRead`.
   * Returns false when there is no such process.
   */
  readonly countersOpen: (id: number, wanted: WantedCounters) => boolean
  /**
   * Reads the counter files that were opened with `countersOpen`. Returns one entry for each of `ids`: a list of the current numbers, in
   * the order of `wanted`. The entry is `null` for an id that is not open, whose process ended, or that lost a file.
   */
  readonly countersRead: (ids: readonly number[]) => readonly CounterNumbers[]
  readonly countersClose: (id: number) => void

  readonly clock: () => Clock
  readonly info: () => RuntimeInfo
  readonly env: (name: string) => string | null
  readonly log: (level: LogLevel, text: string) => void
  /** Writes text to standard output of the agent's process. Only the help, the version and subcommands such as `doctor` use it. */
  readonly print: (text: string) => void
  readonly onSignal: (names: readonly SignalName[]) => void
  readonly exit: (code: number) => void
  /** Starts a timer: `onTimer(id)` is called once after `ms` milliseconds. The caller chooses `id`. A negative `ms` cancels its timer. */
  readonly timer: (id: number, ms: number) => void

  /**
   * Sandboxes this process for good: no new privileges, few system calls, writing only in `needs.writable`, and no programs except those of
   * `needs.programs` that are installed. Returns the restrictions in force and the unavailable ones.
   */
  readonly confine: (needs: Needs) => Confinement
  /**
   * Drops root: changes the process's user and group for good. Call it before other threads start. Returns `null` on success or when not
   * root, else the reason why it stays root.
   */
  readonly becomeUser: (change: UserChange) => string | null
  /**
   * Returns two counts since the start: how often this agent exceeded the CPU time limit and the memory limit of its native runtime. Both
   * are 0 on Node.
   */
  readonly limitsReached: () => LimitsReached

  readonly http: (id: number, request: HttpRequest) => void
  /**
   * Sends many GET requests to one server and reads only some members of their JSON responses. Ends with one `onHttpMembers(id)` event when
   * all requests have ended, or after the request's `totalMs`.
   */
  readonly httpMembers: (id: number, request: MembersRequest) => void
  /**
   * Opens a stream connection to the unix socket at `unixPath`. The agent chooses the `id`. Data, end and failure arrive as events
   * `onStream(id)`.
   */
  readonly streamOpen: (id: number, unixPath: string) => void
  readonly streamWrite: (id: number, data: Bytes) => void
  readonly streamClose: (id: number) => void
  /**
   * Runs a command without a shell, from a system folder such as /usr/bin. Program and arguments must match a fixed list. Its events arrive
   * as `onExec(id)`.
   */
  readonly exec: (id: number, argv: readonly string[], limits: ExecLimits) => void
  readonly execKill: (id: number) => void
  readonly wsOpen: (id: number, url: string, headers: readonly Header[], options: WsOptions) => void
  readonly wsSend: (id: number, data: Bytes) => void
  readonly wsClose: (id: number, code: number) => void
  /**
   * Starts the runtime's only SSH server. Returns an error text for invalid options, else `null`. Success or failure to listen arrives as
   * an `onSshServer` event.
   */
  readonly sshListen: (options: SshOptions) => string | null
  /** Writes the response and the exit status to an SSH request's channel, then closes the channel, because no hub closes first. */
  readonly sshReply: (requestId: number, data: Bytes, exitStatus: number) => void
  /** Stops the SSH server: it no longer listens, and all its connections are closed. */
  readonly sshClose: () => void

  readonly bytes: ByteTools
}

export type RuntimeEvents = {
  readonly onTimer: (id: number) => void
  readonly onHttp: (id: number, event: HttpEvent) => void
  /** Called once for each `readSlow` call, with its id and a list with text and duration for each path, in the order of the paths. */
  readonly onSlowTexts: (id: number, texts: readonly SlowText[]) => void
  /**
   * Called once for each `httpMembers` call, with its id and a list of results (members, refusal or failure), in the order of the paths.
   */
  readonly onHttpMembers: (id: number, answers: readonly MembersAnswer[]) => void
  readonly onStream: (id: number, event: StreamEvent) => void
  readonly onExec: (id: number, event: ExecEvent) => void
  readonly onWsOpen: (id: number) => void
  readonly onWsMessage: (id: number, data: Bytes) => void
  readonly onWsClose: (id: number, end: WsEnd) => void
  /**
   * Called with a hub's SSH request: once when its channel starts, and again when more standard input arrives. `stdin` is all input so far.
   */
  readonly onSsh: (requestId: number, clientIdentification: string, stdin: Bytes, stdinEnded: boolean) => void
  readonly onSshServer: (event: SshServerEvent) => void
  readonly onSignalReceived: (name: SignalName) => void
}

export type Bytes = Uint8Array
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type SignalName = 'SIGINT' | 'SIGTERM'
export type Header = readonly [name: string, value: string]

/**
 * Current times in ms of both clocks. `monotonicMs` never goes back and counts from an arbitrary moment; `wallMs` counts from the Unix
 * epoch and can jump.
 */
export type Clock = { readonly monotonicMs: number; readonly wallMs: number }

export type RuntimeInfo = {
  /** Architecture of the machine's processor as uname(2) names it, such as `x86_64`. */
  readonly arch: string
  readonly platform: string
  readonly pid: number
  /** List of the command line arguments of the agent's process, without the program's own name. */
  readonly argv: readonly string[]
  readonly runtimeVersion: string
}

/** Limits of one `readSlow` call: `maxBytes` limits the size of each file, `deadlineMs` the duration of the whole call. */
export type SlowLimits = { readonly maxBytes: number; readonly deadlineMs: number }

/**
 * Result of one slow file read. `text` is `null` for a file that is unreadable, too long or not read in time. `tookMs` is the read's
 * duration, 0 if it did not start.
 */
export type SlowText = { readonly text: string | null; readonly tookMs: number }

export type UserChange = {
  /** Numeric id of the user to which the agent's process changes; its group gets the same id. */
  readonly user: number
  /**
   * List of the paths of files and folders that become the property of the user to which the process changes. Symbolic links and files with
   * several hard links do not.
   */
  readonly owns: readonly string[]
  /**
   * List of paths, such as that of Docker's socket. The agent's process joins the group that owns each of these files; missing files are
   * skipped.
   */
  readonly groupsOf: readonly string[]
}

export type Needs = {
  /** List of the names of programs that the sandboxed agent may still run, such as `smartctl`. */
  readonly programs: readonly string[]
  /** List of the paths of existing folders that stay writable inside the sandbox. */
  readonly writable: readonly string[]
}

/**
 * Result of sandboxing the agent: `holds` are the restrictions in force, in a few words each; `lacks` are the unavailable ones, each with
 * the reason.
 */
export type Confinement = { readonly holds: readonly string[]; readonly lacks: readonly { readonly what: string; readonly why: string }[] }

/**
 * Counts of exceeded limits of the native runtime since the start; 0 on Node. `turnsEnded`: events whose work took too long;
 * `memoryRefused`: allocations beyond the memory limit. Each ended the current work, such as a sample, but not the process.
 */
export type LimitsReached = { readonly turnsEnded: number; readonly memoryRefused: number }

export type FileFacts = {
  readonly kind: 'file' | 'folder' | 'socket' | 'other'
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Permission bits of a file or folder that the agent checks, as a number, as in chmod(2), such as `0o644`. */
  readonly mode: number
  /** Numeric id of the user that owns the file or folder of which the runtime returned these facts (stat(2)). */
  readonly owner: number
}

/**
 * Sizes of a filesystem in bytes, statfs(2). `availableBytes` is free for unprivileged users; `freeBytes` includes the space reserved for
 * root.
 */
export type FilesystemFacts = {
  readonly totalBytes: number
  readonly freeBytes: number
  readonly availableBytes: number
  /**
   * Total number of inodes of the filesystem; `freeInodes` is the number of unused ones. Both are absent on filesystems that create inodes
   * on demand, such as btrfs.
   */
  readonly totalInodes?: number
  readonly freeInodes?: number
}

export type WantedCounters = {
  /** Path of the folder of the process in procfs, such as `/proc/1`. Its counter files are closed when the process ends. */
  readonly processFolder: string
  readonly files: readonly CounterFile[]
}

/**
 * Description of a file whose numbers are read repeatedly, up to 64 KiB. If the file is missing at `countersOpen`, its numbers are `null`.
 */
export type CounterFile = {
  /** Path of the counter file: absolute, or relative to the process's folder in procfs, such as `net/dev`. */
  readonly path: string
  readonly wanted: readonly CounterPlace[]
}

/**
 * Place of a number in a text file: `offset` words after the word `after`, or after the start of the line if `after` is empty. Words end at
 * blanks, `:` and `=`. Numbers of all matching lines are added up. A final `#` in `after` matches digits: `eth#` matches `eth0` and
 * `eth12`.
 */
export type CounterPlace = { readonly after: string; readonly offset: number }

export type CounterNumbers = readonly (number | null)[] | null

export type HttpRequest = {
  readonly to: { readonly kind: 'unix'; readonly path: string } | { readonly kind: 'address'; readonly origin: string }
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: Bytes
  /**
   * Size limit in bytes of the body of the HTTP response. With a longer body, the request fails; a streamed response ends there as `cut`.
   */
  readonly maxBytes: number
  /** Timeout in ms of this HTTP request, from the call to the last byte of the response; then the request fails. */
  readonly deadlineMs: number
  /** True to get `head` and `piece` events while the HTTP response arrives, instead of one `answer` event at its end. */
  readonly stream?: boolean
}

/**
 * Event of an HTTP request. Header names are lower case. A request ends with `answer` (whole response), with `end` after the `head` and
 * `piece`s of a streamed response, or with `failed`.
 */
export type HttpEvent =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly Header[]; readonly body: Bytes }
  | { readonly kind: 'head'; readonly status: number; readonly headers: readonly Header[] }
  | { readonly kind: 'piece'; readonly data: Bytes }
  // `cut` is true when a streamed body was longer than `maxBytes`. The rest of the body was not read.
  | { readonly kind: 'end'; readonly cut: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export type MembersRequest = {
  readonly to: HttpRequest['to']
  readonly headers: readonly Header[]
  /** List of the paths of the GET requests that one `httpMembers` call sends, such as `/containers/ID/stats`. */
  readonly paths: readonly string[]
  /**
   * List of the paths of the members to read from each JSON response: names joined by dots, such as `State.Health.Status`. `*` matches each
   * member or list entry.
   */
  readonly members: readonly string[]
  /** Maximum number of the GET requests of one `httpMembers` call that are sent concurrently; the others wait. */
  readonly atOnce: number
  /** Size limit in bytes of each response body of an `httpMembers` call; a request with a longer one counts as failed. */
  readonly maxBytes: number
  /** Timeout in ms of each of the GET requests to Docker or another server, from its start to its last byte. */
  readonly deadlineMs: number
  /**
   * Timeout in ms of all requests of one `httpMembers` call together, from the call to the result event. Requests without a response by
   * then count as failed.
   */
  readonly totalMs: number
}

/**
 * Result of one request of `httpMembers`. `values`: one entry for each requested JSON member, in their order. `refused`: a status other
 * than 200; `failed`: no response, or a body that is not JSON. `endedAtMs` is the monotonic time at which the request ended.
 */
export type MembersAnswer =
  | { readonly kind: 'members'; readonly values: readonly Member[]; readonly endedAtMs: number }
  | { readonly kind: 'refused'; readonly status: number; readonly endedAtMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly endedAtMs: number }

/**
 * JSON member that was read from a response: a number or text as `JSON.parse` returns it. `null` when it is missing or of another type. A
 * path with `*` gives a list with an entry for each match, or `null` when the value there is neither object nor list.
 */
export type Member = null | number | string | readonly Member[]

export type StreamEvent =
  | { readonly kind: 'open' }
  | { readonly kind: 'data'; readonly data: Bytes }
  | { readonly kind: 'closed'; readonly reason: string }

/**
 * Limits of a command that `exec` runs. `whole`: its output arrives in one event when the program ends. `stream`: each piece of output is
 * an event while the program runs.
 */
export type ExecLimits =
  | { readonly mode: 'whole'; readonly deadlineMs: number; readonly maxOutputBytes: number }
  // Maximum pause between two pieces of output. A program that is silent for longer is killed.
  | { readonly mode: 'stream'; readonly silenceMs: number }

/**
 * Event of a running command. `exited` has the whole standard output, or no bytes if it was streamed. A program over a limit is killed and
 * ends with `failed`. No program outlives the agent.
 */
export type ExecEvent =
  | { readonly kind: 'piece'; readonly data: Bytes }
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: Bytes }
  | { readonly kind: 'failed'; readonly reason: string }

export type WsOptions = {
  readonly connectDeadlineMs: number
  readonly maxMessageBytes: number
  /**
   * Proxy URL: `socks5h://[user:password@]host[:port]` (RFC 1928) or `http://…` (CONNECT). Both resolve the hub's name at the proxy.
   * `undefined`: direct connection.
   */
  readonly proxy?: string | undefined
  /**
   * Pinned certificate: its SHA-256 as 64 lower-case hexadecimal digits. Issuer, name and expiry are then not checked, and nothing is sent
   * to a server with another certificate. Without a pin, the trusted certificate authorities are used.
   */
  readonly certificateSha256?: string | undefined
  /** Idle timeout in ms of the WebSocket: it is dropped after this long without a message or ping from the server. */
  readonly silenceMs: number
}

/**
 * Reason and details of the end of a WebSocket. `refused`: an HTTP response instead of an upgrade. `failed`: no connection (`nameNotFound`:
 * DNS has no address). `closed`: it was open and ended.
 */
export type WsEnd =
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly nameNotFound?: true }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }

export type SshAddress =
  | { readonly kind: 'tcp'; readonly host?: string; readonly port: number; readonly ipv6Only?: true }
  | { readonly kind: 'unix'; readonly path: string }

export type SshOptions = {
  readonly address: SshAddress
  /** Software version in the SSH identification string, after `SSH-2.0-` (RFC 4253, section 4.2). */
  readonly identification: string
  /**
   * Path of the Ed25519 host key in OpenSSH format. The file is created on first use (0600). Without a path, a new key lives as long as the
   * process.
   */
  readonly hostKeyPath?: string
  /** List of the public keys that may sign in to the SSH server, each with its OpenSSH key type and key blob. */
  readonly authorisedKeys: readonly { readonly algorithm: string; readonly blob: Bytes }[]
  /**
   * Size limit in bytes of the input on one SSH channel. The piece of input that exceeds the limit is still reported; then the input counts
   * as ended.
   */
  readonly maxRequestBytes: number
  /** Idle timeout in ms: an SSH connection is dropped after this long without a byte in either direction. */
  readonly silenceMs: number
}

export type SshServerEvent =
  | { readonly kind: 'listening'; readonly port?: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly addressInUse: boolean }
  | { readonly kind: 'refused'; readonly clientAddress: string }

export type ByteTools = {
  /** Encodes a text as UTF-8 bytes. Lone surrogates become U+FFFD. */
  readonly utf8: (text: string) => Bytes
  /** Decodes UTF-8 bytes to a text. Invalid sequences become U+FFFD. */
  readonly fromUtf8: (bytes: Bytes) => string
  readonly equal: (one: Bytes, other: Bytes) => boolean
  readonly sha256: (bytes: Bytes) => Bytes
  /** Verifies an Ed25519 signature (RFC 8032). `publicKey` is 32 bytes, `signature` 64; other lengths return false. */
  readonly ed25519Verify: (publicKey: Bytes, message: Bytes, signature: Bytes) => boolean
  readonly random: (count: number) => Bytes
}
