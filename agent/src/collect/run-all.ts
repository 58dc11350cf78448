import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { DeadlineExceeded, type Loop } from '../deadline.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../runtime.ts'
import { afterReading, isResting, toFinding, unknownHealth, type CollectorHealth } from './collector-health.ts'
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

/** What came of a reading, when, and what it cost. */
type Outcome = ({ readonly value: SamplePart | undefined } | { readonly error: unknown }) & {
  readonly atMs: number
  readonly costMs: number
}

/** A reading that waits for somebody. */
type Running = {
  readonly startedAtMs: number
  /** Never rejects. */
  readonly work: Promise<Outcome>
  /** As if it ended now. */
  readonly ended: () => Pick<Outcome, 'atMs' | 'costMs'>
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

  /** Begins a reading; its outcome at once where it waits for nobody, which is most of them: promises are not free. */
  const start = (topic: string, collector: PartCollector, tick: Tick): Running | Outcome => {
    const beganAtMs = now()
    const ended = (): Pick<Outcome, 'atMs' | 'costMs'> => {
      const atMs = now()
      return { atMs, costMs: atMs - beganAtMs }
    }
    try {
      const part = collector.collect(tick)
      if (!(part instanceof Promise)) return { value: part, ...ended() }
      const work = part.then(
        (value): Outcome => ({ value, ...ended() }),
        (error: unknown): Outcome => ({ error, ...ended() }),
      )
      const reading = { startedAtMs: tick.atMs, work, ended }
      running.set(topic, reading)
      void work.then(() => running.delete(topic))
      return reading
    } catch (error) {
      return { error, ...ended() }
    }
  }

  const settle = (topic: string, collector: PartCollector, tick: Tick, outcome: Outcome): SamplePart | undefined => {
    const { costMs, atMs } = outcome
    if ('error' in outcome) {
      const { error } = outcome
      const reason = error instanceof Error ? error.message : String(error)
      const kind = error instanceof DeadlineExceeded ? 'overran' : 'failed'
      healths.set(collector.name, afterReading(healthOf(collector), { kind, atMs, costMs, error: reason }))
      log.change(collector.name, 'warn', 'Cannot read part of this machine', { part: collector.name, reason })
      return recent(lastGood.get(topic), tick.atMs)
    }
    const { value } = outcome
    if (value === undefined) lastGood.delete(topic)
    else lastGood.set(topic, { part: value, atMs: tick.atMs })
    healths.set(collector.name, afterReading(healthOf(collector), { kind: value === undefined ? 'missing' : 'value', atMs, costMs }))
    log.settled(collector.name)
    return value
  }

  const waitFor = async (topic: string, collector: PartCollector, tick: Tick, reading: Running): Promise<SamplePart | undefined> => {
    const leftMs = reading.startedAtMs + collector.deadlineMs - tick.atMs
    if (leftMs <= 0) return recent(lastGood.get(topic), tick.atMs)
    const outcome = await loop
      .within(leftMs, collector.name, reading.work)
      .catch((error: unknown): Outcome => ({ error, ...reading.ended() }))
    return settle(topic, collector, tick, outcome)
  }

  const run = (collector: PartCollector, tick: Tick): SamplePart | undefined | Promise<SamplePart | undefined> => {
    const topic = `${collector.name} ${tick.consumer}`
    if (isResting(healthOf(collector), tick.atMs)) return recent(lastGood.get(topic), tick.atMs)
    const reading = running.get(topic) ?? start(topic, collector, tick)
    return 'work' in reading ? waitFor(topic, collector, tick, reading) : settle(topic, collector, tick, reading)
  }

  return {
    run: async (tick) => {
      const started = collectors.map((collector) => run(collector, tick))
      const parts: (SamplePart | undefined)[] = []
      for (const one of started) parts.push(one instanceof Promise ? await one : one)
      return mergeParts(parts)
    },
    findings: () => {
      return collectors.map((collector) => toFinding(collector.name, healthOf(collector), collector.report(), now()))
    },
  }
}

const recent = (good: Good | undefined, nowMs: number): SamplePart | undefined =>
  good !== undefined && nowMs - good.atMs <= LAST_GOOD_MS ? good.part : undefined

/**
 * Size and I/O of the root disk come from two collectors, temperatures from sensors and GPUs. A later part's choice of the
 * one that stands for the machine counts; without any it is the hottest.
 */
export function mergeParts(parts: readonly (SamplePart | undefined)[]): SamplePart {
  const whole: { -readonly [F in keyof SamplePart]: SamplePart[F] } = {}
  for (const one of parts) {
    if (one === undefined) continue
    const { rootDisk, temperatures } = whole
    Object.assign(whole, one)
    if (rootDisk !== undefined) whole.rootDisk = { ...rootDisk, ...one.rootDisk }
    if (temperatures !== undefined) whole.temperatures = { ...temperatures, ...one.temperatures }
  }
  if (whole.dashboardCelsius !== undefined || whole.temperatures === undefined) return whole
  return { ...whole, dashboardCelsius: Math.max(...Object.values(whole.temperatures)) }
}
