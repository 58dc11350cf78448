import { slowReads } from './node/slow-reads.ts'
import { becomeUser } from './node/own-user.ts'
import { machine } from 'node:os'
import { ownValue } from '@vedette/protocol/own-value'
import type { LogLevel, Runtime, RuntimeEvents } from './runtime.ts'
import { byteTools } from './node/byte-tools.ts'
import { counterSets } from './node/counter-sets.ts'
import * as files from './node/files.ts'
import { filesystemSizes, systemSizes, type SizeSources } from './node/filesystem-sizes.ts'
import { httpClient } from './node/http-client.ts'
import { memberRequests } from './node/member-requests.ts'
import { programs, systemFolders } from './node/programs.ts'
import { sshServer } from './node/ssh-server.ts'
import { unixStreams } from './node/unix-stream.ts'
import { webSockets } from './node/websocket-client.ts'

export type NodeRuntimeOptions = {
  /**
   * List of the paths of the folders in which the runtime searches the programs that the agent may run. Absent: the system's folders, such
   * as /usr/bin.
   */
  readonly programFolders?: readonly string[]
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly logLine?: (level: LogLevel, text: string) => void
  readonly exit?: (code: number) => void
  readonly sizes?: SizeSources
}

/** Creates the agent's runtime on Node, with real files, network, programs and clock. Tests pass `options` to replace some of these. */
export function nodeRuntime(options: NodeRuntimeOptions = {}): Runtime {
  // oxlint-disable-next-line node/no-process-env -- the agent's one door to its environment
  const environment = options.env ?? process.env
  // libuv reads this variable when it starts its threads. Dead mounts block up to two threads and devices up to four; DNS lookups need the
  // others.
  // oxlint-disable-next-line node/no-process-env -- libuv reads the environment of the process
  process.env['UV_THREADPOOL_SIZE'] ??= '8'
  const timers = new Map<number, NodeJS.Timeout>()
  let listener: RuntimeEvents | undefined
  const events = (): RuntimeEvents => {
    if (listener === undefined) throw new Error('Cannot deliver an event: nobody listens')
    return listener
  }
  const streams = unixStreams((id, event) => events().onStream(id, event))
  const children = programs((id, event) => events().onExec(id, event), options.programFolders ?? systemFolders)
  const http = httpClient()
  const askMembers = memberRequests({
    ask: http,
    after: (ms, action) => {
      const timer = setTimeout(action, ms)
      return () => clearTimeout(timer)
    },
    nowMs: () => performance.now(),
    fromUtf8: byteTools.fromUtf8,
  })
  const sockets = webSockets(events)
  const ssh = sshServer(events)
  const counters = counterSets()
  const slow = slowReads((id, texts) => events().onSlowTexts(id, texts))
  const sizes = filesystemSizes(options.sizes ?? systemSizes)

  return {
    listen: (heard) => {
      listener = heard
    },
    readText: files.readText,
    readBytes: files.readBytes,
    readLink: files.readLink,
    listDir: files.listDir,
    stat: files.stat,
    statfs: sizes.of,
    writeFile: files.writeFile,
    remove: files.remove,
    readSlow: slow.read,
    countersOpen: counters.open,
    countersRead: counters.read,
    countersClose: counters.close,

    clock: () => ({ monotonicMs: performance.now(), wallMs: Date.now() }),
    info: () => ({
      arch: machine(),
      platform: process.platform,
      pid: process.pid,
      argv: options.argv ?? process.argv.slice(2),
      runtimeVersion: `node ${process.version}`,
    }),
    env: (name) => ownValue(environment, name) ?? null,
    log: options.logLine ?? logLine,
    print: (text) => {
      process.stdout.write(text)
    },
    onSignal: (names) => {
      for (const name of names) process.on(name, () => events().onSignalReceived(name))
    },
    exit: (code) => {
      children.killAll()
      // Node waits for its threads at exit, and a dead mount can block a thread for ever.
      if (sizes.isWaiting() || slow.isWaiting()) process.kill(process.pid, 'SIGKILL')
      if (options.exit === undefined) process.exit(code)
      options.exit(code)
    },
    timer: (id, ms) => {
      clearTimeout(timers.get(id))
      timers.delete(id)
      if (ms < 0) return
      const fire = (): void => {
        timers.delete(id)
        events().onTimer(id)
      }
      timers.set(id, setTimeout(fire, ms))
    },

    confine: () => ({ holds: [], lacks: [{ what: 'sandbox', why: 'only the native form of the agent has one' }] }),
    becomeUser,
    limitsReached: () => ({ turnsEnded: 0, memoryRefused: 0 }),
    http: (id, request) => http(request, (event) => events().onHttp(id, event)),
    httpMembers: (id, request) => askMembers(request, (answers) => events().onHttpMembers(id, answers)),
    streamOpen: streams.open,
    streamWrite: streams.write,
    streamClose: streams.close,
    exec: children.exec,
    execKill: children.kill,
    wsOpen: sockets.open,
    wsSend: sockets.send,
    wsClose: sockets.close,
    sshListen: ssh.listen,
    sshReply: ssh.reply,
    sshClose: ssh.close,
    bytes: byteTools,
  }
}

const logLine = (level: LogLevel, text: string): void => {
  process.stderr.write(`${new Date().toISOString()} ${level.toUpperCase()} ${text}\n`)
}
