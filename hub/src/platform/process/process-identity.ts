import { readFileSync, readlinkSync } from 'node:fs'
import { z } from 'zod'
import { errorCode } from '../error-code.ts'

/**
 * Schema of a process identity: `pid` and `startedAt`, the start time in clock ticks since boot (`''` without /proc). The start time
 * distinguishes it from a later process with the same pid.
 */
export const processIdentitySchema = z.object({ pid: z.number(), startedAt: z.string() })
export type ProcessIdentity = Readonly<z.infer<typeof processIdentitySchema>>

export const ownIdentity = (): ProcessIdentity => ({ pid: process.pid, startedAt: startOf(process.pid) ?? '' })

export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
  }
  const since = startOf(pid)
  return since === undefined || startedAt === '' || since === startedAt
}

/**
 * Returns the start time of a process in clock ticks since boot, from proc(5), stat field 22. `undefined` without /proc or for an unknown
 * process.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/**
 * Returns an id of the scope in which process ids are valid: the machine's boot id and the PID namespace (pid_namespaces(7)). `undefined`
 * without /proc.
 */
export function processIdSpace(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}
