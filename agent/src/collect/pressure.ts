import type { Pressure, PressureSample } from '@vedette/protocol/metrics/sample'
import { MIN_ELAPSED_MS } from './sampling/counter.ts'
import type { ProcSource } from '../source/proc-source.ts'
import { parseCounter } from '../text/columns.ts'
import { createBaselines, replaceBaseline } from './baselines.ts'
import type { Collector } from './collector.ts'
import type { Surroundings } from './surroundings.ts'

/** Times in µs since boot in which some tasks (`someUs`) or all tasks (`fullUs`) waited for a resource. */
export type StallTimes = { readonly someUs: number; readonly fullUs?: number }

/**
 * Parses a pressure file, lines `some avg10=… avg60=… avg300=… total=µs` and `full …`, and returns the totals in µs; kernel
 * Documentation/accounting/psi.rst. `undefined` without a `some` line.
 */
export function parsePressure(text: string): StallTimes | undefined {
  const someUs = totalIn(text, 'some ')
  const fullUs = totalIn(text, 'full ')
  return someUs === undefined ? undefined : fullUs === undefined ? { someUs } : { someUs, fullUs }
}

/**
 * Returns the `total=` value (stall time in µs) of the line of a pressure file that starts with the given text; `undefined` when it is
 * missing.
 */
function totalIn(text: string, beginning: string): number | undefined {
  const from = text.startsWith(beginning) ? 0 : text.indexOf(`\n${beginning}`) + 1
  if (from === 0 && !text.startsWith(beginning)) return undefined
  const end = text.indexOf('\n', from)
  const line = end === -1 ? text.slice(from) : text.slice(from, end)
  const at = line.lastIndexOf(TOTAL)
  if (at === -1) return undefined
  const [total] = line.slice(at + TOTAL.length).split(' ', 1)
  return parseCounter(total?.trimEnd())
}

const TOTAL = 'total='

/**
 * Returns the percentages of time, 0 to 100, in which some and all tasks waited for a resource between two readings that are `elapsedMs`
 * apart. `undefined` when the counter of some tasks went back; without that of all tasks, its percentage is absent.
 */
export function pressureBetween(previous: StallTimes, current: StallTimes, elapsedMs: number): Pressure | undefined {
  const percent = (before: number | undefined, now: number | undefined): number | undefined =>
    before === undefined || now === undefined || now < before ? undefined : Math.min(100, (now - before) / (elapsedMs * 10))
  const somePercent = percent(previous.someUs, current.someUs)
  const fullPercent = percent(previous.fullUs, current.fullUs)
  if (somePercent === undefined) return undefined
  return fullPercent === undefined ? { somePercent } : { somePercent, fullPercent }
}

const resources = ['cpu', 'memory', 'io'] as const
type Resource = (typeof resources)[number]
type Reading = { readonly times: Partial<Record<Resource, StallTimes>>; readonly takenAtMs: number }

/**
 * Creates the collector of pressure stall information (PSI). In a container guest such as LXC, its cgroup's files are read: those in /proc
 * show the machine, unless lxcfs provides them. For a whole machine, the CPU has no `full` share, which would always be 0.
 */
export function pressureCollector(source: ProcSource, { isGuest, virtualised }: Surroundings): Collector<PressureSample> {
  const baselines = createBaselines<Reading>()
  const textOf = (resource: Resource): string | undefined =>
    isGuest && !virtualised.has(`pressure/${resource}`)
      ? source.trySys(`fs/cgroup/${resource}.pressure`)
      : source.tryProc(`pressure/${resource}`)
  let found: readonly Resource[] | undefined
  return {
    name: 'pressure',
    collect: ({ consumer, atMs }) => {
      const times: Partial<Record<Resource, StallTimes>> = {}
      for (const resource of resources) {
        const text = textOf(resource)
        const stalls = text === undefined ? undefined : parsePressure(text)
        // For the whole machine, `full` of cpu is always 0: some task runs whenever one waits for a CPU.
        if (stalls !== undefined) times[resource] = resource === 'cpu' && !isGuest ? { someUs: stalls.someUs } : stalls
      }
      found = resources.filter((resource) => times[resource] !== undefined)
      if (found.length === 0) return undefined
      const current = { times, takenAtMs: atMs }
      const previous = replaceBaseline(baselines, consumer, current)
      return previous && pressures(previous, current)
    },
    report: () => {
      if (found === undefined) return {}
      if (found.length > 0) return { found: found.join(', ') }
      if (isGuest) return { skipped: [{ what: 'pressure', why: 'the control group of this guest tells none' }] }
      const remedy = 'Start the machine with the kernel parameter psi=1 (Linux 4.20 or later)'
      return { skipped: [{ what: 'pressure', why: 'the kernel tells none' }], remedy }
    },
  }
}

function pressures(previous: Reading, current: Reading): PressureSample | undefined {
  const elapsedMs = current.takenAtMs - previous.takenAtMs
  if (elapsedMs < MIN_ELAPSED_MS) return undefined
  const sample: { -readonly [R in Resource]?: Pressure } = {}
  for (const resource of resources) {
    const before = previous.times[resource]
    const now = current.times[resource]
    const pressure = before && now && pressureBetween(before, now, elapsedMs)
    if (pressure !== undefined) sample[resource] = pressure
  }
  return Object.keys(sample).length === 0 ? undefined : sample
}
