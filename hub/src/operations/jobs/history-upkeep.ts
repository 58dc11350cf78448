import type { Clock } from '../../platform/clock.ts'
import type { History } from '../../history/model/history.ts'
import type { Log } from '../../platform/log.ts'
import { startRepeatedJob, type RepeatedJob } from './repeated-job.ts'

const EVERY_MS = 5_000

type UpkeepParts = {
  readonly history: Pick<History, 'maintain'>
  /** See `pushed-roll-ups.ts`. */
  readonly pushRollUps: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Looks after the history, a little every few seconds, and tells of the buckets that are over. */
export function startHistoryUpkeep({ history, pushRollUps, clock, log }: UpkeepParts): RepeatedJob {
  async function keepUp(signal: AbortSignal) {
    // Who watches is not kept waiting by what is sealed.
    const told = pushRollUps().catch((error: unknown) => log.error('roll-ups not told', { error }))
    try {
      await history.maintain(signal)
    } catch (error) {
      log.error('history not maintained', { error })
      throw error
    } finally {
      await told
    }
    return {}
  }
  return startRepeatedJob({ id: 'history', everyMs: EVERY_MS, clock, run: keepUp })
}
