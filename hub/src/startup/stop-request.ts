import { fstatSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Interval, in ms (500), at which the hub checks whether its parent process with the id `VEDETTE_ENDS_WITH` (npm) still runs; without that
 * variable it never checks. It stops after two checks without it, because the SIGHUP of a closed terminal may arrive late.
 */
const LOOK_AT_PARENT_EVERY_MS = 500

/**
 * Environment variables that decide when the hub stops. `VEDETTE_ENDS_WITH`: id of the process (npm) whose end stops the hub. `_`: the
 * shell's variable with the started program, such as nohup.
 */
export type StopEnvironment = { readonly VEDETTE_ENDS_WITH?: string | undefined; readonly _?: string | undefined }

/**
 * Returns a promise that resolves at the first SIGINT, SIGTERM, SIGHUP, end of the parent's IPC channel, or end of the process
 * `VEDETTE_ENDS_WITH`. Failed output is ignored, with nohup(1) also SIGHUP.
 */
export function stopRequested(environment: StopEnvironment): Promise<void> {
  for (const output of [process.stdout, process.stderr]) output.on('error', ignore)
  return new Promise((resolve) => {
    const stopWatching = watchParent(Number(environment.VEDETTE_ENDS_WITH), resolve)
    const staysAtHangUp = hasNohup(environment)
    process.on('SIGHUP', () => {
      if (staysAtHangUp) stopWatching()
      else resolve()
    })
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    process.once('disconnect', () => resolve())
    // Without this, the listener would keep the process alive.
    process.channel?.unref()
  })
}

function watchParent(pid: number, onGone: () => void): () => void {
  if (!(pid > 1)) return ignore
  let wasGone = false
  const looking = setInterval(() => {
    if (process.ppid === pid) return
    if (wasGone) onGone()
    wasGone = true
  }, LOOK_AT_PARENT_EVERY_MS).unref()
  return () => clearInterval(looking)
}

/**
 * Returns true when nohup(1) started this process or the npm that started it. Node resets the ignored SIGHUP, so two traces are checked:
 * the shell's variable `_`, and a standard input that is `/dev/null` opened for writing only.
 */
export function hasNohup({ _ }: StopEnvironment): boolean {
  if (_ !== undefined && basename(_) === 'nohup') return true
  try {
    const isNull = fstatSync(0).rdev === statSync('/dev/null').rdev
    return isNull && isWriteOnly(readFileSync('/proc/self/fdinfo/0', 'utf8'))
  } catch {
    // There is no standard input, or the system has no /proc.
    return false
  }
}

/**
 * Returns true when the text of a file in `/proc/PID/fdinfo` shows a file opened for writing only: `flags` is octal, and its lowest two
 * bits are 1, O_WRONLY (proc_pid_fdinfo(5)).
 */
const isWriteOnly = (fdinfo: string): boolean => (Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(fdinfo)?.[1] ?? '0', 8) & 3) === 1

function ignore(): void {}
