import { readdirSync, readFileSync } from 'node:fs'

/** Whether the process with this PID is running; a zombie is not (state Z, proc_pid_stat(5)). */
export const runs = (pid: number): boolean => /^State:\s+[^ZX]/m.test(ofProcess(pid, 'status'))

export const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(ofProcess(pid, 'status'))?.[1] ?? 0)

/** The words of the command, with a blank between; empty for a process that has ended. */
export const commandOf = (pid: number): string => ofProcess(pid, 'cmdline').replaceAll('\0', ' ')

/** The environment of a process, `NAME=value` with U+0000 after each. */
export const environmentOf = (pid: number): string => ofProcess(pid, 'environ')

export const childrenOf = (pid: number): readonly number[] => processes().filter((one) => parentOf(one) === pid)

/** The number of every process. */
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
