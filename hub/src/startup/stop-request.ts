import { fstatSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

/** Twice within this time the parent has to be gone: the SIGHUP of a closed terminal may come after the end of a parent that it ended. */
const LOOK_AT_PARENT_EVERY_MS = 500

/** `VEDETTE_ENDS_WITH` is the process whose end is a request to stop: npm, which passes on neither SIGHUP nor its own death. */
export type StopEnvironment = { readonly VEDETTE_ENDS_WITH?: string | undefined; readonly _?: string | undefined }

/**
 * Resolves at the first request to stop this process: SIGINT, SIGTERM, SIGHUP, the end of the process that started it with a channel
 * (child_process.fork(3)'s kind), or the end of `VEDETTE_ENDS_WITH`. A closed terminal is no request to a process that was started with
 * nohup(1), nor is output that the terminal no longer takes.
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
    // A listener alone would keep the process alive.
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
 * Whether nohup(1) started this process or its npm. Node gives SIGHUP its default action back, so that the ignored signal itself tells
 * nothing (`PlatformInit` in src/node.cc). Two traces stay: the shell's `_`, and a standard input that was a terminal and is `/dev/null`,
 * open for writing only.
 */
export function hasNohup({ _ }: StopEnvironment): boolean {
  if (_ !== undefined && basename(_) === 'nohup') return true
  try {
    const isNull = fstatSync(0).rdev === statSync('/dev/null').rdev
    return isNull && isWriteOnly(readFileSync('/proc/self/fdinfo/0', 'utf8'))
  } catch {
    // No standard input, or a system without /proc.
    return false
  }
}

/** `flags:` is octal; its lowest two bits are the access mode, 1 is O_WRONLY (proc_pid_fdinfo(5)). */
const isWriteOnly = (fdinfo: string): boolean => (Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(fdinfo)?.[1] ?? '0', 8) & 3) === 1

function ignore(): void {}
