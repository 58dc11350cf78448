import { fstatSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Returns true when nohup(1) started this process. Two traces are checked: the shell's variable `_`, and a standard input that is
 * `/dev/null` open for writing only.
 */
export function hasNohup(lastCommand: string | undefined): boolean {
  if (lastCommand !== undefined && basename(lastCommand) === 'nohup') return true
  try {
    const isNull = fstatSync(0).rdev === statSync('/dev/null').rdev
    return isNull && isWriteOnly(readFileSync('/proc/self/fdinfo/0', 'utf8'))
  } catch {
    // No standard input, or a system without /proc.
    return false
  }
}

/**
 * Returns true when a file descriptor is write-only, by the text of /proc/PID/fdinfo, proc_pid_fdinfo(5). Its `flags:` are octal; the
 * access mode 1 is O_WRONLY.
 */
const isWriteOnly = (fdinfo: string): boolean => (Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(fdinfo)?.[1] ?? '0', 8) & 3) === 1
