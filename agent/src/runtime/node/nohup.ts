import { fstatSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Whether nohup(1) started this process. Node gives SIGHUP its default action back (`PlatformInit` in src/node.cc), so two other traces tell:
 * the shell's `_`, and a standard input that is `/dev/null` open for writing only.
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

/** `flags:` is octal; its lowest two bits are the access mode, 1 is O_WRONLY (proc_pid_fdinfo(5)). */
const isWriteOnly = (fdinfo: string): boolean => (Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(fdinfo)?.[1] ?? '0', 8) & 3) === 1
