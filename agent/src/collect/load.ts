import type { LoadAverage } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../source/proc-source.ts'
import type { Collector } from './collector.ts'

/**
 * Parses the load averages over 1, 5 and 15 minutes: numbers of runnable and uninterruptible tasks, not percentages. Source: the first
 * three fields of /proc/loadavg, proc(5). Throws `SyntaxError`.
 */
export function parseLoadAverage(text: string): LoadAverage {
  const [oneMinute, fiveMinutes, fifteenMinutes] = text.split(' ', 3).map((field) => (field === '' ? Number.NaN : Number(field)))
  if (!isLoad(oneMinute) || !isLoad(fiveMinutes) || !isLoad(fifteenMinutes)) {
    throw new SyntaxError(`Cannot parse "/proc/loadavg": "${text.slice(0, 40)}" does not start with three numbers`)
  }
  return { oneMinute, fiveMinutes, fifteenMinutes }
}

export function loadCollector(source: ProcSource): Collector<LoadAverage> {
  return {
    name: 'load',
    collect: () => parseLoadAverage(source.readProc('loadavg')),
    report: () => ({ found: 'load averages over 1, 5 and 15 minutes' }),
  }
}

const isLoad = (value: number | undefined): value is number => value !== undefined && value >= 0 && Number.isFinite(value)
