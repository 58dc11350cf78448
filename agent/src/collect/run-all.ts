import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Loop } from '../deadline.ts'
import type { Log } from '../log.ts'
import type { Collector, CollectorReport, Tick } from './collector.ts'

export type SamplePart = Partial<Sample>

/** One line of the list of collectors: its value as part of a sample, and how long it may take. */
export type PartCollector = {
  readonly name: string
  readonly deadlineMs: number
  readonly collect: (tick: Tick) => Promise<SamplePart | undefined>
  readonly report: () => CollectorReport
}

/** The collector as a line of the list. `toPart` puts the family where it belongs in the sample. */
export function part<T>(collector: Collector<T>, deadlineMs: number, toPart: (value: T) => SamplePart): PartCollector {
  return {
    name: collector.name,
    deadlineMs,
    collect: async (tick) => {
      const value = await collector.collect(tick)
      return value === undefined ? undefined : toPart(value)
    },
    report: () => collector.report?.() ?? {},
  }
}

/** A last good value stands in for a failed reading this long; then it is no longer what the machine does. */
const LAST_GOOD_MS = 150_000

type Good = { readonly part: SamplePart; readonly atMs: number }

type Running = { readonly startedAtMs: number; readonly work: Promise<SamplePart | undefined> }

/**
 * Runs every collector at once, each within its own deadline. One that fails or hangs is told in the log once, answers with
 * its last good value for a while, and costs the others nothing. It is never started twice: who asks while it is at work
 * waits for the same end, and once it is late nobody waits any more.
 */
export function runner(collectors: readonly PartCollector[], loop: Loop, log: Log): (tick: Tick) => Promise<SamplePart> {
  const running = new Map<string, Running>()
  const lastGood = new Map<string, Good>()

  const start = (topic: string, collector: PartCollector, tick: Tick): Running => {
    const started = { startedAtMs: tick.atMs, work: collector.collect(tick).finally(() => running.delete(topic)) }
    running.set(topic, started)
    return started
  }

  const run = async (collector: PartCollector, tick: Tick): Promise<SamplePart | undefined> => {
    const topic = `${collector.name} ${tick.consumer}`
    const { startedAtMs, work } = running.get(topic) ?? start(topic, collector, tick)
    const leftMs = startedAtMs + collector.deadlineMs - tick.atMs
    if (leftMs <= 0) return recent(lastGood.get(topic), tick.atMs)
    try {
      const value = await loop.within(leftMs, collector.name, work)
      if (value === undefined) lastGood.delete(topic)
      else lastGood.set(topic, { part: value, atMs: tick.atMs })
      log.settled(collector.name)
      return value
    } catch (error) {
      log.change(collector.name, 'warn', 'Cannot read part of this machine', {
        part: collector.name,
        reason: error instanceof Error ? error.message : String(error),
      })
      return recent(lastGood.get(topic), tick.atMs)
    }
  }

  return async (tick) => mergeParts(await Promise.all(collectors.map((collector) => run(collector, tick))))
}

const recent = (good: Good | undefined, nowMs: number): SamplePart | undefined =>
  good !== undefined && nowMs - good.atMs <= LAST_GOOD_MS ? good.part : undefined

/** Size and I/O of the root disk come from two collectors. */
export function mergeParts(parts: readonly (SamplePart | undefined)[]): SamplePart {
  return parts.reduce<SamplePart>((whole, one) => {
    if (one === undefined) return whole
    const rootDisk = { ...whole.rootDisk, ...one.rootDisk }
    return { ...whole, ...one, ...(Object.keys(rootDisk).length === 0 ? {} : { rootDisk }) }
  }, {})
}
