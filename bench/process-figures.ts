import { readFileSync } from 'node:fs'

const MEBIBYTE = 1024 * 1024

/** Length in ms of a tick of CPU time, 10. Linux reports CPU time in ticks of 1/100 s (proc(5), sysconf(3) _SC_CLK_TCK). */
const TICK_MS = 10

/** Returns the resident and the private dirty memory of a process, both in MiB, from /proc/PID/smaps_rollup (proc(5)). */
export function memoryOf(pid: number): { readonly residentMebibytes: number; readonly privateMebibytes: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kibibytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? Number.NaN)
  return {
    residentMebibytes: (kibibytes('Rss') * 1024) / MEBIBYTE,
    privateMebibytes: (kibibytes('Private_Dirty') * 1024) / MEBIBYTE,
  }
}

/** Returns the CPU time of all threads of a process since its start, in ms, from /proc/PID/stat (proc(5)). The resolution is 10 ms. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/**
 * Returns the numbers of bytes that a process has written since its start: to files (`wchar`) and to the disk (`write_bytes`), from
 * /proc/PID/io (proc(5)).
 */
export function writesOf(pid: number): { readonly writtenBytes: number; readonly toDiskBytes: number } {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const bytes = (field: string): number => Number(new RegExp(`^${field}: (\\d+)`, 'm').exec(io)?.[1] ?? Number.NaN)
  return { writtenBytes: bytes('wchar'), toDiskBytes: bytes('write_bytes') }
}

/** Returns the CPU time in ms in which the machine's cores were busy since its start, summed over all cores, from /proc/stat (proc(5)). */
export function machineBusyMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? []
  return (user + nice + system + irq + softirq) * TICK_MS
}
