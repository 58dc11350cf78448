import type { ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import type { ExecEvent, ExecLimits } from '../runtime.ts'
import { errorText } from './error-text.ts'
import { isListedCommand } from './listed-commands.ts'

export const systemFolders: readonly string[] = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

export type Programs = {
  readonly exec: (id: number, argv: readonly string[], limits: ExecLimits) => void
  readonly kill: (id: number) => void
  readonly killAll: () => void
}

/**
 * Creates the runtime's functions that run the agent's commands (smartctl, nvidia-smi) and report their events with `emit`. Only listed
 * commands start, from `folders`, without a shell and with a minimal environment.
 */
export function programs(emit: (id: number, event: ExecEvent) => void, folders: readonly string[]): Programs {
  const running = new Map<number, ChildProcess>()

  const killAll = (): void => {
    for (const child of running.values()) child.kill('SIGKILL')
  }

  const exec: Programs['exec'] = (id, argv, limits) => {
    const [name = '', ...args] = argv
    const refuse = (reason: string): void => process.nextTick(() => emit(id, { kind: 'failed', reason }))
    if (!isListedCommand(argv)) return refuse(`"${name}" with these arguments is not a command this agent runs`)
    const path = folders.map((folder) => `${folder}/${name}`).find(isExecutable)
    if (path === undefined) return refuse(`"${name}" is not installed`)
    const child = process.getBuiltinModule('node:child_process').spawn(path, args, {
      env: { PATH: folders.join(':'), LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (running.size === 0) process.once('exit', killAll)
    running.set(id, child)
    // Removed when the process ends, not when the failure is reported: a killed program may take a moment to exit.
    const forget = (): void => {
      if (running.get(id) === child) running.delete(id)
      if (running.size === 0) process.off('exit', killAll)
    }
    child.on('close', forget)
    child.on('error', () => {
      if (child.pid === undefined) forget()
    })
    watch(child, limits, (event) => emit(id, event))
  }

  return {
    exec,
    kill: (id) => {
      running.get(id)?.kill('SIGKILL')
    },
    killAll,
  }
}

function watch(child: ChildProcess, limits: ExecLimits, emit: (event: ExecEvent) => void): void {
  const pieces: Buffer[] = []
  let length = 0
  let deadline: NodeJS.Timeout | undefined
  let over = false
  const finish = (event: ExecEvent): void => {
    clearTimeout(deadline)
    if (!over) emit(event)
    over = true
  }
  const fail = (reason: string): void => {
    finish({ kind: 'failed', reason })
    child.kill('SIGKILL')
  }
  const restart = (): void => {
    clearTimeout(deadline)
    deadline =
      limits.mode === 'stream'
        ? setTimeout(() => fail(`wrote nothing for ${limits.silenceMs} ms`), limits.silenceMs)
        : setTimeout(() => fail(`not finished within ${limits.deadlineMs} ms`), limits.deadlineMs)
  }
  restart()
  child.stdout?.on('data', (piece: Buffer) => {
    if (over) return
    if (limits.mode === 'stream') {
      restart()
      emit({ kind: 'piece', data: Uint8Array.from(piece) })
      return
    }
    length += piece.length
    if (length > limits.maxOutputBytes) fail(`wrote more than ${limits.maxOutputBytes} bytes`)
    else pieces.push(piece)
  })
  child.on('error', (error) => fail(errorText(error)))
  child.on('close', (code, signal) => {
    if (code === null) finish({ kind: 'failed', reason: `ended by ${signal ?? 'a signal'}` })
    else finish({ kind: 'exited', exitCode: code, output: Buffer.concat(pieces) })
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
