import type { Clock } from '../../platform/clock.ts'
import type { History } from '../../history/model/history.ts'
import { allDuties, type Duties, type Duty } from '../../platform/cluster/duties.ts'
import type { Log } from '../../platform/log.ts'
import { startRepeatedJob, type RepeatedJob } from './repeated-job.ts'

const EVERY_MS = 5_000
/**
 * Background task with the name `history`: maintenance of the history, which one of several hubs does. Its lease lasts three runs (15 s),
 * so another hub takes over after three missed runs.
 */
const DUTY: Duty = { name: 'history', keptMs: 3 * EVERY_MS }

type UpkeepParts = {
  readonly history: Pick<History, 'maintain'>
  /**
   * Publishes due records of ended history intervals (averages of 10 min and longer) to live charts: at most 50 a call, the rest at later
   * calls. Resolves after these, and rejects if one cannot be loaded.
   */
  readonly pushRollUps: () => Promise<void>
  readonly duties: Duties
  readonly clock: Clock
  readonly log: Log
}

/**
 * Starts the background job that runs every 5 s: it compresses finished time ranges of the history and deletes old data in small steps. One
 * of several hubs does that. Each hub also publishes finished averages to its own live charts.
 */
export function startHistoryUpkeep({ history, pushRollUps, duties, clock, log }: UpkeepParts): RepeatedJob {
  async function keepUp(signal: AbortSignal) {
    // Each hub publishes to its own viewers. It runs beside the maintenance, so that live viewers need not wait for it.
    const pushed = pushRollUps().catch((error: unknown) => log.error('roll-ups not published', { error }))
    try {
      await duties.perform(DUTY, (lost) => history.maintain(AbortSignal.any([signal, lost])))
    } catch (error) {
      log.error('history not maintained', { error })
      throw error
    } finally {
      await pushed
    }
    return {}
  }
  return startRepeatedJob({ id: 'history', duties: allDuties, everyMs: EVERY_MS, clock, run: keepUp })
}
