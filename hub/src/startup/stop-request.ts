import { fstatSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Interval of the parent check. The parent must be gone twice: the SIGHUP of a closed terminal may arrive after the end of a parent
 * that it killed.
 */
const LOOK_AT_PARENT_EVERY_MS = 500

/** `VEDETTE_ENDS_WITH`: id of the process whose end stops the hub. That is npm, which forwards neither SIGHUP nor its own death. */
export type StopEnvironment = { readonly VEDETTE_ENDS_WITH?: string | undefined; readonly _?: string | undefined }

/**
 * Resolves at the first stop request: SIGINT, SIGTERM, SIGHUP, the end of the parent's IPC channel (child_process.fork), or the end of
 * `VEDETTE_ENDS_WITH`. For a process started with nohup(1), a closed terminal or failed output is no stop request.
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
 * True when nohup(1) started this process or its npm. Node resets SIGHUP to its default action, so the ignored signal is not visible
 * (`PlatformInit` in src/node.cc). Two traces stay: the shell's `_`, and a standard input that was a terminal and is now `/dev/null`,
 * open for writing only.
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

/** `flags:` is octal; its lowest two bits are the access mode, 1 is O_WRONLY (proc_pid_fdinfo(5)). */
const isWriteOnly = (fdinfo: string): boolean => (Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(fdinfo)?.[1] ?? '0', 8) & 3) === 1

function ignore(): void {}
