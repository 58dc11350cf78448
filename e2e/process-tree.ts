import { readdirSync, readFileSync } from 'node:fs'

/** Returns true when the process with this PID is running. A zombie is not (state Z, proc_pid_stat(5)). */
export const isRunning = (pid: number): boolean => /^State:\s+[^ZX]/m.test(ofProcess(pid, 'status'))

export const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(ofProcess(pid, 'status'))?.[1] ?? 0)

/** Returns the command line of the process with this PID, its words joined by spaces; empty when the process has ended. */
export const commandOf = (pid: number): string => ofProcess(pid, 'cmdline').replaceAll('\0', ' ')

/** Returns the environment variables of the process with this PID as one text: `NAME=value` entries, each followed by U+0000. */
export const environmentOf = (pid: number): string => ofProcess(pid, 'environ')

export const childrenOf = (pid: number): readonly number[] => processes().filter((one) => parentOf(one) === pid)

/** Returns the PIDs of all processes of the machine, as numbers. */
export const processes = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

function ofProcess(pid: number, file: 'status' | 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process ended during the check.
    return ''
  }
}
