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

/** Maintains the history in small steps every few seconds, and publishes finished buckets. */
export function startHistoryUpkeep({ history, pushRollUps, clock, log }: UpkeepParts): RepeatedJob {
  async function keepUp(signal: AbortSignal) {
    // Runs beside the maintenance, so that live viewers need not wait for it.
    const pushed = pushRollUps().catch((error: unknown) => log.error('roll-ups not told', { error }))
    try {
      await history.maintain(signal)
    } catch (error) {
      log.error('history not maintained', { error })
      throw error
    } finally {
      await pushed
    }
    return {}
  }
  return startRepeatedJob({ id: 'history', everyMs: EVERY_MS, clock, run: keepUp })
}
