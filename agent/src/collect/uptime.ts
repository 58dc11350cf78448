import type { ProcSource } from '../source/proc-source.ts'
import type { Collector } from './collector.ts'

/**
 * Returns the whole seconds since boot from the text of /proc/uptime (its first field), proc(5). In LXC this file shows the container's
 * uptime, unlike sysinfo(2). Throws `SyntaxError`.
 */
export function parseUptimeSeconds(text: string): number {
  const match = /^(\d+)(?:\.\d+)?\s/.exec(text)
  if (match === null) throw new SyntaxError(`Cannot parse "/proc/uptime": "${text.slice(0, 40)}" does not start with a number`)
  return Number(match[1])
}

export function uptimeCollector(source: ProcSource): Collector<number> {
  return { name: 'uptime', collect: () => parseUptimeSeconds(source.readProc('uptime')), report: () => ({ found: 'seconds since boot' }) }
}
