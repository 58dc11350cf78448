import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeRuntime } from '../../src/runtime/node-runtime.ts'
import type { Runtime, RuntimeEvents } from '../../src/runtime/runtime.ts'
import { agentHost, driverProgram } from '../agent-host.ts'
import { plain, revived, type Wire } from './driver-wire.ts'

export type HostOptions = {
  readonly programFolders?: readonly string[]
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /**
   * Runs the native host as another user, which only root can do. `driver` is a copy of the test driver that this user may run; `ambient`
   * are its ambient capabilities.
   */
  readonly as?: { readonly user: number; readonly driver: string; readonly ambient?: readonly string[] }
}

/** Functions of `T` with promises as results, because the host may be another process. */
type Later<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Result> : Later<T[Name]>
}

export type TestedHost = AsyncDisposable & {
  readonly runtime: Later<Omit<Runtime, 'listen'>>
  /** Resolves with the arguments of the next event of that name, once it has arrived. */
  readonly next: (name: keyof RuntimeEvents) => Promise<readonly unknown[]>
  readonly pid: number
  /** Log lines so far, each as `level text`. */
  readonly lines: readonly string[]
  readonly exited: Promise<number>
}

/** Starts the host under test, which `agentHost` selects. */
export const testedHost = (options: HostOptions = {}): Promise<TestedHost> =>
  agentHost === 'native' ? nativeHost(options) : Promise.resolve(hostInside(options))

type Call = (name: string, args: readonly unknown[]) => Promise<unknown>

/** Creates an object whose every member is a call of the runtime; `bytes` contains those of `runtime.bytes`. */
function callable(call: Call): TestedHost['runtime'] {
  const folder = (prefix: string): object =>
    new Proxy(
      {},
      {
        get: (_, name) => (name === 'bytes' ? folder('bytes.') : (...args: readonly unknown[]) => call(`${prefix}${String(name)}`, args)),
      },
    )
  // A proxy has no shape of its own.
  return folder('') as TestedHost['runtime']
}

/** Creates a list of received events, which tests wait for by name. */
function eventList() {
  const events: { readonly name: string; readonly args: readonly unknown[] }[] = []
  const waiting = new Set<() => void>()
  return {
    hear: (name: string, args: readonly unknown[]): void => {
      events.push({ name, args })
      for (const look of waiting) look()
      waiting.clear()
    },
    next: async (name: keyof RuntimeEvents): Promise<readonly unknown[]> => {
      for (;;) {
        const index = events.findIndex((event) => event.name === name)
        if (index !== -1) return events.splice(index, 1)[0]?.args ?? []
        await new Promise<void>((resolve) => void waiting.add(resolve))
      }
    },
  }
}

function hostInside(options: HostOptions): TestedHost {
  const lines: string[] = []
  const events = eventList()
  const { promise: exited, resolve } = Promise.withResolvers<number>()
  const runtime = nodeRuntime({ ...options, logLine: (level, text) => lines.push(`${level} ${text}`), exit: resolve })
  const heard =
    (name: keyof RuntimeEvents) =>
    (...args: readonly unknown[]): void =>
      events.hear(
        name,
        args.map((one) => revived(plain(one))),
      )
  runtime.listen({
    onTimer: heard('onTimer'),
    onHttp: heard('onHttp'),
    onHttpMembers: heard('onHttpMembers'),
    onSlowTexts: heard('onSlowTexts'),
    onStream: heard('onStream'),
    onExec: heard('onExec'),
    onWsOpen: heard('onWsOpen'),
    onWsMessage: heard('onWsMessage'),
    onWsClose: heard('onWsClose'),
    onSsh: heard('onSsh'),
    onSshServer: heard('onSshServer'),
    onSignalReceived: heard('onSignalReceived'),
  })
  const call: Call = async (name, args) => {
    const [first = '', second] = name.split('.')
    const found: unknown = Reflect.get(second === undefined ? runtime : runtime.bytes, second ?? first)
    if (typeof found !== 'function') throw new Error(`There is no call "${name}"`)
    return revived(plain(Reflect.apply(found, undefined, args)))
  }
  const dispose = async (): Promise<void> => {
    for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name)
  }
  return { runtime: callable(call), next: events.next, pid: process.pid, lines, exited, [Symbol.asyncDispose]: dispose }
}

/** Returns the setpriv(1) command that runs the program after it as another user. */
function asUser({ user, ambient = [] }: NonNullable<HostOptions['as']>): readonly [string, ...string[]] {
  const given = ambient.map((name) => `+${name}`).join(',')
  const rights = given === '' ? [] : ['--inh-caps', given, '--ambient-caps', given]
  return ['/usr/bin/setpriv', '--reuid', String(user), '--regid', String(user), '--clear-groups', ...rights, '--']
}

let started = 0

export async function nativeHost({ programFolders, argv = [], env = {}, as }: HostOptions): Promise<TestedHost> {
  const path = join(tmpdir(), `vedette-driver-${process.pid}-${++started}.sock`)
  const server = createServer().listen(path)
  await once(server, 'listening')
  if (as !== undefined) chownSync(path, as.user, as.user)
  const folders = programFolders === undefined ? {} : { VEDETTE_TEST_PROGRAM_FOLDERS: programFolders.join(':') }
  const [program, ...args] = [...(as === undefined ? [] : asUser(as)), as?.driver ?? driverProgram(), ...argv]
  const child = spawn(program, args, {
    env: { ...env, ...folders, VEDETTE_TEST_SOCKET: path },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, level = '', text = ''] = /^\S+ ([A-Z]+) (.*)$/s.exec(line) ?? []
    lines.push(`${level.toLowerCase()} ${text}`)
  })
  const exited = once(child, 'close').then(([code]: unknown[]) => Number(code))
  const [socket] = (await once(server, 'connection')) as [Socket]
  const events = eventList()
  const waiting: ((result: unknown) => void)[] = []
  createInterface({ input: socket }).on('line', (line) => {
    const message = JSON.parse(line) as { readonly event?: string; readonly args?: readonly Wire[]; readonly result?: Wire }
    if (message.event === undefined) waiting.shift()?.(revived(message.result ?? null))
    else events.hear(message.event, (message.args ?? []).map(revived))
  })
  const call: Call = (name, args) =>
    new Promise((resolve) => {
      waiting.push(resolve)
      socket.write(`${JSON.stringify({ call: name, args: args.map(plain) })}\n`)
    })
  const dispose = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
    server.close()
    rmSync(path, { force: true })
  }
  return { runtime: callable(call), next: events.next, pid: child.pid ?? 0, lines, exited, [Symbol.asyncDispose]: dispose }
}
