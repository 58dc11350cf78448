import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { DeadlineExceeded, type Loop } from '../deadline.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../runtime.ts'
import { afterReading, isResting, toFinding, unknownHealth, type CollectorHealth, type Ended } from './collector-health.ts'
import type { Collector, CollectorReport, Tick } from './collector.ts'

export type SamplePart = Partial<Sample>

/** One line of the list of collectors: its value as part of a sample, and how long it may take. */
export type PartCollector = {
  readonly name: string
  readonly deadlineMs: number
  /** At once where the collector does not wait for anybody: only then is its cost its own. */
  readonly collect: (tick: Tick) => SamplePart | undefined | Promise<SamplePart | undefined>
  readonly report: () => CollectorReport
}

/** The collector as a line of the list. `toPart` puts the family where it belongs in the sample. */
export function part<T>(collector: Collector<T>, deadlineMs: number, toPart: (value: T) => SamplePart): PartCollector {
  const toOptionalPart = (value: T | undefined): SamplePart | undefined => (value === undefined ? undefined : toPart(value))
  return {
    name: collector.name,
    deadlineMs,
    collect: (tick) => {
      const value = collector.collect(tick)
      return value instanceof Promise ? value.then(toOptionalPart) : toOptionalPart(value)
    },
    report: () => collector.report?.() ?? {},
  }
}

/** A last good value stands in for a failed reading this long; then it is no longer what the machine does. */
export const LAST_GOOD_MS = 150_000

type Good = { readonly part: SamplePart; readonly atMs: number }

type Running = {
  readonly startedAtMs: number
  readonly work: Promise<SamplePart | undefined>
  readonly hasEnded: () => boolean
  readonly costMs: () => number
}

export type Runner = {
  readonly run: (tick: Tick) => Promise<SamplePart>
  /** How each collector fares, for the doctor; reads nothing. */
  readonly findings: () => readonly Finding[]
}

/**
 * Runs every collector at once, each within its own deadline. One that fails or hangs is told in the log once, answers with
 * its last good value for a while, and costs the others nothing. It is never started twice: who asks while it is at work
 * waits for the same end, and once it is late nobody waits any more. One that is late again and again rests.
 */
export function runner(collectors: readonly PartCollector[], loop: Loop, log: Log, clock: () => Clock): Runner {
  const running = new Map<string, Running>()
  const lastGood = new Map<string, Good>()
  const healths = new Map<string, CollectorHealth>()
  const healthOf = ({ name }: PartCollector): CollectorHealth => healths.get(name) ?? unknownHealth

  const now = (): number => clock().monotonicMs

  const start = (topic: string, collector: PartCollector, tick: Tick): Running => {
    const beganAtMs = now()
    let endedAtMs: number | undefined
    const attempt = async (): Promise<SamplePart | undefined> => {
      try {
        const part = collector.collect(tick)
        if (!(part instanceof Promise)) endedAtMs = now()
        return await part
      } finally {
        endedAtMs ??= now()
        running.delete(topic)
      }
    }
    const started = {
      startedAtMs: tick.atMs,
      work: attempt(),
      hasEnded: () => endedAtMs !== undefined,
      costMs: () => (endedAtMs ?? now()) - beganAtMs,
    }
    if (endedAtMs === undefined) running.set(topic, started)
    return started
  }

  const note = (collector: PartCollector, { costMs }: Running, how: NotTimed<Ended>): void => {
    healths.set(collector.name, afterReading(healthOf(collector), { ...how, atMs: now(), costMs: costMs() }))
  }

  const run = async (collector: PartCollector, tick: Tick): Promise<SamplePart | undefined> => {
    const topic = `${collector.name} ${tick.consumer}`
    if (isResting(healthOf(collector), tick.atMs)) return recent(lastGood.get(topic), tick.atMs)
    const reading = running.get(topic) ?? start(topic, collector, tick)
    const leftMs = reading.startedAtMs + collector.deadlineMs - tick.atMs
    if (leftMs <= 0) return recent(lastGood.get(topic), tick.atMs)
    try {
      const value = await (reading.hasEnded() ? reading.work : loop.within(leftMs, collector.name, reading.work))
      if (value === undefined) lastGood.delete(topic)
      else lastGood.set(topic, { part: value, atMs: tick.atMs })
      note(collector, reading, { kind: value === undefined ? 'missing' : 'value' })
      log.settled(collector.name)
      return value
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      note(collector, reading, { kind: error instanceof DeadlineExceeded ? 'overran' : 'failed', error: reason })
      log.change(collector.name, 'warn', 'Cannot read part of this machine', { part: collector.name, reason })
      return recent(lastGood.get(topic), tick.atMs)
    }
  }

  return {
    run: async (tick) => mergeParts(await Promise.all(collectors.map((collector) => run(collector, tick)))),
    findings: () => {
      return collectors.map((collector) => toFinding(collector.name, healthOf(collector), collector.report(), now()))
    },
  }
}

/** The union, without the moment that `note` adds. */
type NotTimed<T> = T extends unknown ? Omit<T, 'atMs' | 'costMs'> : never

const recent = (good: Good | undefined, nowMs: number): SamplePart | undefined =>
  good !== undefined && nowMs - good.atMs <= LAST_GOOD_MS ? good.part : undefined

/**
 * Size and I/O of the root disk come from two collectors, temperatures from sensors and GPUs. A later part's choice of the
 * one that stands for the machine counts; without any it is the hottest.
 */
export function mergeParts(parts: readonly (SamplePart | undefined)[]): SamplePart {
  const whole = parts.reduce<SamplePart>((whole, one) => {
    if (one === undefined) return whole
    const rootDisk = { ...whole.rootDisk, ...one.rootDisk }
    const temperatures = { ...whole.temperatures, ...one.temperatures }
    return {
      ...whole,
      ...one,
      ...(Object.keys(rootDisk).length === 0 ? {} : { rootDisk }),
      ...(Object.keys(temperatures).length === 0 ? {} : { temperatures }),
    }
  }, {})
  if (whole.dashboardCelsius !== undefined || whole.temperatures === undefined) return whole
  return { ...whole, dashboardCelsius: Math.max(...Object.values(whole.temperatures)) }
}
