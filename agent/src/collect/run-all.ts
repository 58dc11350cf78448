import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import type { ReadingAges, Sample } from '@vedette/protocol/metrics/sample'
import { agedFamilies } from '@vedette/protocol/wire/keys'
import { DeadlineExceeded, type Loop } from '../runtime/deadline.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/runtime.ts'
import { afterReading, isResting, toFinding, unknownHealth, type CollectorHealth } from './collector-health.ts'
import type { Collector, CollectorReport, Tick } from './collector.ts'
import { LAST_GOOD_MS } from './last-good.ts'

export type SamplePart = Partial<Sample>

/**
 * Collector (reader of one kind of metric) as an entry in the list of all collectors: name, timeout in ms, and `collect`. That function
 * returns the sample fields that the collector fills.
 */
export type PartCollector = {
  readonly name: string
  readonly deadlineMs: number
  /**
   * Reads and returns the sample fields of this collector; `undefined` without values. Returns a promise only if the reading is
   * asynchronous. A promise would make the measured duration include other collectors' work.
   */
  readonly collect: (tick: Tick) => SamplePart | undefined | Promise<SamplePart | undefined>
  readonly report: () => CollectorReport
}

/**
 * Adapts a collector (reader of one kind of metric) to an entry in the list of all collectors. `deadlineMs` is its timeout in ms; `toPart`
 * converts its value to the sample fields that it fills.
 */
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

/** Outcome of one reading of a collector: its fields of the sample or its error, and the monotonic time in ms at which it ended. */
type Outcome = ({ readonly value: SamplePart | undefined } | { readonly error: unknown }) & { readonly atMs: number }

/**
 * State of one collector, shared by all requesters of samples: last outcome, failure, duration, and a state for each requester. It is
 * changed in place, because a new object for each reading would cost as much as some readings.
 */
type CollectorState = {
  readonly collector: PartCollector
  readonly byConsumer: Map<number, ConsumerState>
  /**
   * Health of the collector (error, number of overruns, end of a pause) as of its last failed reading; `undefined` when the last reading
   * was good.
   */
  failedHealth: CollectorHealth | undefined
  /**
   * Outcome of the collector's last reading that did not fail: `value`, or `missing` when this machine has nothing to read. `undefined`
   * before the first.
   */
  lastOutcome: 'value' | 'missing' | undefined
  endedAtMs: number
  costMs: number
}

/** State of a collector for one requester of samples (minute poll or live view): the current or latest reading, and the last good value. */
type ConsumerState = {
  readonly line: CollectorState
  /** Monotonic time in ms of the sample for which the collector's current or latest reading was started. */
  startedAtMs: number
  /**
   * Monotonic time in ms at which the collector's reading really began. It is after the readings of the collectors before it in the list.
   */
  beganAtMs: number
  /** Promise of the collector's asynchronous reading in progress; `undefined` without one. Never rejects. */
  running: Promise<Outcome> | undefined
  good: SamplePart | undefined
  goodAtMs: number
}

/**
 * Maximum number of requesters of samples, 8, for which a collector keeps a state, such as the hub's minute poll and its live view. A
 * further one replaces the requester that was added first.
 */
const MAX_CONSUMERS = 8

export type Runner = {
  readonly run: (tick: Tick) => Promise<SamplePart>
  /** Returns one diagnostics entry for each collector, from the last readings. Reads nothing. */
  readonly findings: () => readonly Finding[]
}

/**
 * Creates the runner, which reads all collectors (readers of one kind of metric) for a sample, each with its own timeout. A failure is
 * logged once, and the last good value is used for up to 150 s. A second call for the same requester shares a reading in progress. Repeated
 * timeouts pause a collector.
 */
export function runner(collectors: readonly PartCollector[], loop: Loop, log: Log, clock: () => Clock): Runner {
  const lines = collectors.map((collector): CollectorState => ({
    collector,
    byConsumer: new Map(),
    failedHealth: undefined,
    lastOutcome: undefined,
    endedAtMs: 0,
    costMs: 0,
  }))
  const now = (): number => clock().monotonicMs

  const fail = (kept: ConsumerState, tick: Tick, error: unknown, atMs: number): SamplePart | undefined => {
    const { line, beganAtMs } = kept
    const { name } = line.collector
    const reason = error instanceof Error ? error.message : String(error)
    const kind = error instanceof DeadlineExceeded ? 'overran' : 'failed'
    line.failedHealth = afterReading(healthOf(line), { kind, atMs, costMs: atMs - beganAtMs, error: reason })
    log.change(name, 'warn', 'Cannot read part of this machine', { part: name, reason })
    return lastGoodPart(kept, tick.atMs)
  }

  const succeed = (kept: ConsumerState, tick: Tick, value: SamplePart | undefined, atMs: number): void => {
    const { line } = kept
    if (line.failedHealth !== undefined) log.clearTopic(line.collector.name)
    line.failedHealth = undefined
    line.lastOutcome = value === undefined ? 'missing' : 'value'
    line.endedAtMs = atMs
    line.costMs = atMs - kept.beganAtMs
    kept.good = value
    kept.goodAtMs = tick.atMs
  }

  const wait = (kept: ConsumerState, reading: Promise<SamplePart | undefined>): Promise<Outcome> => {
    const work = reading.then(
      (value): Outcome => ({ value, atMs: now() }),
      (error: unknown): Outcome => ({ error, atMs: now() }),
    )
    kept.running = work
    void work.then(() => {
      kept.running = undefined
    })
    return work
  }

  const waitFor = async (kept: ConsumerState, tick: Tick, work: Promise<Outcome>): Promise<SamplePart | undefined> => {
    const { name, deadlineMs } = kept.line.collector
    const leftMs = kept.startedAtMs + deadlineMs - tick.atMs
    if (leftMs <= 0) return lastGoodPart(kept, tick.atMs)
    const outcome = await loop.within(leftMs, name, work).catch((error: unknown): Outcome => ({ error, atMs: now() }))
    if ('error' in outcome) return fail(kept, tick, outcome.error, outcome.atMs)
    succeed(kept, tick, outcome.value, outcome.atMs)
    return outcome.value
  }

  /**
   * Runs one collector and returns its part of a sample; `undefined` without values. When it fails, times out or is paused, the last good
   * values of up to 150 s ago are returned. The result is no promise if the collector is synchronous, as most are, because a promise has a
   * cost.
   */
  const read = (line: CollectorState, tick: Tick, nowMs: number): SamplePart | undefined | Promise<SamplePart | undefined> => {
    const kept = consumerStateOf(line, tick.consumer)
    if (line.failedHealth !== undefined && isResting(line.failedHealth, tick.atMs)) return lastGoodPart(kept, tick.atMs)
    if (kept.running !== undefined) return waitFor(kept, tick, kept.running)
    kept.startedAtMs = tick.atMs
    kept.beganAtMs = nowMs
    try {
      const value = line.collector.collect(tick)
      if (value instanceof Promise) return waitFor(kept, tick, wait(kept, value))
      succeed(kept, tick, value, now())
      return value
    } catch (error) {
      return fail(kept, tick, error, now())
    }
  }

  return {
    run: async (tick) => {
      let beganAtMs = now()
      const started = lines.map((line) => {
        const reading = read(line, tick, beganAtMs)
        // The end of one reading is the start of the next: reading the clock costs as much as some readings.
        beganAtMs = line.endedAtMs > beganAtMs ? line.endedAtMs : now()
        return reading
      })
      const parts: (SamplePart | undefined)[] = []
      for (const one of started) parts.push(one instanceof Promise ? await one : one)
      return mergeParts(parts)
    },
    findings: () => lines.map((line) => toFinding(line.collector.name, healthOf(line), line.collector.report(), now())),
  }
}

const healthOf = ({ failedHealth: trouble, lastOutcome: ended, endedAtMs, costMs }: CollectorState): CollectorHealth =>
  trouble ?? (ended === undefined ? unknownHealth : afterReading(unknownHealth, { kind: ended, atMs: endedAtMs, costMs }))

function consumerStateOf(line: CollectorState, consumer: number): ConsumerState {
  const { byConsumer } = line
  const known = byConsumer.get(consumer)
  if (known !== undefined) return known
  const kept: ConsumerState = { line, startedAtMs: 0, beganAtMs: 0, running: undefined, good: undefined, goodAtMs: 0 }
  byConsumer.set(consumer, kept)
  const [oldest] = byConsumer.keys()
  if (byConsumer.size > MAX_CONSUMERS && oldest !== undefined) byConsumer.delete(oldest)
  return kept
}

/**
 * Returns the sample fields of the collector's last good reading for this requester, with their age in ms; `undefined` when there is none,
 * or it is older than 150 s.
 */
function lastGoodPart({ good, goodAtMs }: ConsumerState, nowMs: number): SamplePart | undefined {
  const ageMs = nowMs - goodAtMs
  if (good === undefined || ageMs > LAST_GOOD_MS) return undefined
  const families = agedFamilies.filter((family) => good[family] !== undefined)
  const ages: ReadingAges = { ...good.ages, ...Object.fromEntries(families.map((family) => [family, ageMs])) }
  return { ...good, ages }
}

/**
 * Merges the fields that all collectors returned into one object, the sample. Root disk and temperatures come from two collectors each,
 * whose fields are combined. `dashboardCelsius` is from the last collector that has it, else the highest of all temperatures.
 */
export function mergeParts(parts: readonly (SamplePart | undefined)[]): SamplePart {
  const whole: { -readonly [F in keyof SamplePart]: SamplePart[F] } = {}
  for (const one of parts) {
    if (one === undefined) continue
    const { rootDisk, temperatures, ages } = whole
    Object.assign(whole, one)
    if (rootDisk !== undefined) whole.rootDisk = { ...rootDisk, ...one.rootDisk }
    if (ages !== undefined) whole.ages = { ...ages, ...one.ages }
    if (temperatures !== undefined) whole.temperatures = { ...temperatures, ...one.temperatures }
  }
  if (whole.dashboardCelsius !== undefined || whole.temperatures === undefined) return whole
  return { ...whole, dashboardCelsius: Math.max(...Object.values(whole.temperatures)) }
}
