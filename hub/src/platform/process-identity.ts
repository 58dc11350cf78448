import { readFileSync, readlinkSync } from 'node:fs'
import { z } from 'zod'
import { errorCode } from './error-code.ts'

/** `startedAt`: start time in clock ticks since boot; `''` without /proc. It distinguishes a process from a later one with the same id. */
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

/** Start time of a process, in clock ticks since boot. `undefined` without /proc. Source: proc(5), stat field 22. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/**
 * Identifies where process ids are valid: one boot of a machine, and one container on it (pid_namespaces(7)). `undefined` without /proc.
 */
export function processIdSpace(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}
