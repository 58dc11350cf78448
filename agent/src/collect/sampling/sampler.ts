import type { Sample } from '@vedette/protocol/metrics/sample'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import type { Tick } from '../collector.ts'
import type { SamplePart } from '../run-all.ts'
import type { Loop } from '../../runtime/deadline.ts'
import { createFirstReadings } from './first-readings.ts'
import type { Clock } from '../../runtime/runtime.ts'

/**
 * Cache time in ms in requests of the hub's minute poll: 60,000. The agent distinguishes requesters by this number. Initial readings for
 * this requester are taken at the start.
 */
export const POLL_CACHE_TIME_MS = 60_000

export type SampleRequest = {
  /**
   * Cache time in ms: a sample that was started less than half this time ago for the same cache time may be returned. It also identifies
   * the requester: 60000 for the minute poll, 1000 for the live view.
   */
  readonly cacheTimeMs: number
  /**
   * True to include the static facts of the machine, such as host name and CPU model, in the sample. Otherwise the number of threads is the
   * only fact in it.
   */
  readonly includeFacts: boolean
  /**
   * Connection over which the sample goes to a hub, `ssh` or `websocket`, which the sample names; `undefined` for a sample that is not
   * sent.
   */
  readonly link: 'ssh' | 'websocket' | undefined
}

export type Sampler = {
  readonly take: (request: SampleRequest) => Promise<Sample>
  /**
   * Takes the initial readings of all collectors, from which the first rates are computed, and resolves when they are done. Samples
   * requested too soon after them wait.
   */
  readonly seed: () => Promise<void>
}

type Taken = { readonly startedAtMs: number; readonly sample: Promise<SamplePart> }

/**
 * Maximum number of cached samples, 8, one for each cache time; hubs use two cache times. Dropping a further sample only costs another
 * measurement.
 */
const MAX_CACHED = 8

/**
 * Creates the sampler, which takes samples and caches them by requester, each for half its cache time. Requests within that time share one
 * sample, also one in progress; a cache time of 0 disables sharing.
 */
export function createSampler(runAll: (tick: Tick) => Promise<SamplePart>, loop: Loop, clock: () => Clock): Sampler {
  const cache = new Map<number, Taken>()
  const first = createFirstReadings((atMs) => runAll({ atMs, consumer: POLL_CACHE_TIME_MS }), loop, clock)

  const measure = (consumer: number): Taken => {
    const { monotonicMs, wallMs } = clock()
    const taken: Taken = {
      startedAtMs: monotonicMs,
      sample: runAll({ atMs: monotonicMs, consumer }).then((families) => ({ ...families, takenAtMs: wallMs })),
    }
    if (consumer > 0) {
      cache.delete(consumer)
      cache.set(consumer, taken)
      const [oldest] = cache.keys()
      if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    }
    return taken
  }

  return {
    seed: first.take,
    take: async ({ cacheTimeMs, includeFacts, link }) => {
      await first.ready()
      const cached = cache.get(cacheTimeMs)
      const fresh = cached !== undefined && clock().monotonicMs - cached.startedAtMs < cacheTimeMs / 2
      const families = await (fresh ? cached : measure(cacheTimeMs)).sample
      const sample: Draft = { ...families, agentVersion: ANNOUNCED_VERSION }
      if (!includeFacts) withoutFacts(sample)
      if (link !== undefined) sample.link = link
      return sample
    },
  }
}

type Draft = { -readonly [F in keyof Sample]: Sample[F] }

/**
 * Removes the machine's facts from the given sample, which is changed in place, except the number of threads, which scales load averages.
 */
function withoutFacts(sample: Draft): void {
  const { machine } = sample
  if (machine?.threads !== undefined) sample.machine = { threads: machine.threads }
  else if (machine !== undefined) delete sample.machine
}
