import { DeadlineExceeded, type Loop } from './deadline.ts'
import type { Bytes, ExecEvent, Runtime } from './runtime.ts'

/**
 * Description of a short-lived command: `smartctl scan`, or `smartctl read` with device and type of one drive. These come from the scan or
 * the agent's configuration, never from a hub, and are validated again.
 */
export type ProgramCommand =
  | { readonly name: 'smartctl scan' }
  | { readonly name: 'smartctl read'; readonly device: string; readonly type?: string; readonly statistics: boolean }
export type LongCommand = { readonly name: 'nvidia-smi loop' }

/**
 * Result of a command that ended: its exit status and output, or the reason (text) why it did not finish. `isInstalled` is false when the
 * program does not exist.
 */
export type CommandEnd =
  | { readonly ok: true; readonly exitCode: number; readonly output: Bytes }
  | { readonly ok: false; readonly reason: string; readonly isInstalled: boolean }

export type Following = {
  /** Called with each line, without its line break, that the continuously running `nvidia-smi` prints to standard output. */
  readonly onLine: (line: string) => void
  /** Called when the continuously running command ended, with the reason (text). It is started again after `retryInMs` ms. */
  readonly onEnd: (reason: string, retryInMs: number) => void
}

/** Functions that start child processes, the only ones in the agent: smartctl once (`run`), nvidia-smi continuously (`follow`). */
export type Commands = {
  /**
   * Runs `smartctl` once, to scan or to read a drive. Resolves with its output and exit code, or with the reason why it did not finish.
   * Never rejects.
   */
  readonly run: (command: ProgramCommand) => Promise<CommandEnd>
  /**
   * Keeps a command (nvidia-smi) running: passes its output line by line to `listener` and starts it again, after a delay, when it ends.
   * Returns a function that stops it for good.
   */
  readonly follow: (command: LongCommand, listener: Following) => () => void
}

/** Timeout in ms, 10 s, of `smartctl --scan`. Machines with many controllers and drives in error recovery are slow. */
const SCAN_MS = 10_000
const READ_MS = 15_000
const MAX_OUTPUT_BYTES = 1024 * 1024

/**
 * Time in ms without output, 30 s, after which a running `nvidia-smi`, which writes every 4 s, is ended. It is then stuck in its driver.
 */
const SILENCE_MS = 30_000
const MAX_LINE_BYTES = 16 * 1024

const DEVICE = /^\/dev\/[A-Za-z0-9._:/-]{1,200}$/
const TYPE = /^[a-z0-9][A-Za-z0-9,+/]{0,40}$/

/** Returns true for a path below /dev that contains no `..` and cannot be mistaken for a command line option. */
export const isDevicePath = (path: string): boolean => DEVICE.test(path) && !path.split('/').includes('..')

/** Returns true for a device type as `-d` of smartctl(8) takes it, such as `sat`, `megaraid,5` or `areca,1/2`. */
export const isDeviceType = (type: string): boolean => TYPE.test(type)

function argumentsOf(command: ProgramCommand): readonly string[] | undefined {
  switch (command.name) {
    case 'smartctl scan':
      return ['smartctl', '--scan', '-j']
    case 'smartctl read': {
      const { device, type, statistics } = command
      if (!isDevicePath(device) || (type !== undefined && !isDeviceType(type))) return undefined
      // `-n standby`: smartctl does not wake a sleeping drive. NVMe drives have no such state.
      const asleep = type === 'nvme' ? [] : ['-n', 'standby']
      const typed = type === undefined ? [] : ['-d', type]
      return ['smartctl', ...typed, '-a', '--json=c', ...(statistics ? ['-l', 'devstat'] : []), ...asleep, device]
    }
  }
}

const NVIDIA_FIELDS = 'index,name,temperature.gpu,memory.used,memory.total,utilization.gpu,power.draw'

const longArguments: Readonly<Record<LongCommand['name'], readonly string[]>> = {
  'nvidia-smi loop': ['nvidia-smi', `--query-gpu=${NVIDIA_FIELDS}`, '--format=csv,noheader,nounits', '-l', '4'],
}

export function createCommands(runtime: Runtime, loop: Loop): Commands {
  const running = new Map<number, (event: ExecEvent) => void>()
  loop.subscribe({ onExec: (id, event) => running.get(id)?.(event) })

  const run = async (command: ProgramCommand): Promise<CommandEnd> => {
    const argv = argumentsOf(command)
    if (argv === undefined) return { ok: false, reason: `Cannot run ${command.name}: its device or type is unusable`, isInstalled: true }
    const id = loop.freshId()
    const deadlineMs = command.name === 'smartctl scan' ? SCAN_MS : READ_MS
    const ended = new Promise<CommandEnd>((resolve) => {
      running.set(id, (event) => {
        if (event.kind === 'exited') resolve({ ok: true, exitCode: event.exitCode, output: event.output })
        else if (event.kind === 'failed') resolve(failed(command.name, event.reason))
      })
      runtime.exec(id, argv, { mode: 'whole', deadlineMs, maxOutputBytes: MAX_OUTPUT_BYTES })
    })
    try {
      // The host enforces the deadline; this one is for a host whose child cannot be killed.
      return await loop.within(deadlineMs + 1000, command.name, ended)
    } catch (error) {
      if (error instanceof DeadlineExceeded) return failed(command.name, error.message)
      throw error
    } finally {
      running.delete(id)
    }
  }

  const follow: Commands['follow'] = ({ name }, listener) => {
    let failures = 0
    let stopped = false
    let id = 0
    let cancelRestart: () => void = () => undefined

    const start = (): void => {
      const startedAtMs = runtime.clock().monotonicMs
      const lines = lineSplitter(runtime, listener.onLine)
      const own = loop.freshId()
      id = own
      running.set(own, (event) => {
        if (event.kind === 'piece') return lines(event.data)
        running.delete(own)
        if (stopped) return
        failures = runtime.clock().monotonicMs - startedAtMs >= STEADY_MS ? 1 : failures + 1
        const retryInMs = restartDelayMs(failures)
        if (retryInMs === LATER_MS) failures = 0
        listener.onEnd(event.kind === 'exited' ? `it ended with status ${event.exitCode}` : event.reason, retryInMs)
        cancelRestart = loop.after(retryInMs, start)
      })
      runtime.exec(own, longArguments[name], { mode: 'stream', silenceMs: SILENCE_MS })
    }
    start()

    return () => {
      stopped = true
      cancelRestart()
      if (running.has(id)) runtime.execKill(id)
    }
  }

  return { run, follow }
}

const failed = (name: string, reason: string): CommandEnd => ({
  ok: false,
  reason: `Cannot run ${name}: ${reason}`,
  isInstalled: !reason.endsWith('is not installed'),
})

/** Run time in ms, 60 s, after which a command counts as having worked. If it ends later, the restart delay is the shortest again. */
const STEADY_MS = 60_000
const FIRST_RESTART_MS = 5000
const MAX_FAILURES = 5
const LATER_MS = 60 * 60 * 1000

/**
 * Returns the delay in ms before a command such as `nvidia-smi` is started again. It is 5, 10, 20, 40 s after the first four failures in a
 * row, and 1 h after the fifth. Then the caller's count restarts.
 */
export const restartDelayMs = (failures: number): number =>
  failures >= MAX_FAILURES ? LATER_MS : FIRST_RESTART_MS * 2 ** Math.max(0, failures - 1)

/**
 * Returns a function that takes pieces of output (bytes) and calls `onLine` for each complete line. Lines of more than 16 KiB are dropped,
 * sometimes except their last part.
 */
function lineSplitter(runtime: Runtime, onLine: (line: string) => void): (piece: Bytes) => void {
  let rest = ''
  return (piece) => {
    const lines = (rest + runtime.bytes.fromUtf8(piece)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_BYTES) rest = ''
    for (const line of lines) if (line.length <= MAX_LINE_BYTES) onLine(line.trimEnd())
  }
}
