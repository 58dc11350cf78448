import { stat } from 'node:fs/promises'
import { BackupRefusedError } from './backup-error.ts'

/**
 * Default timeout, in ms (30 min), after which a backup step that makes no progress fails. It is long because the check of a large database
 * reports no progress for minutes.
 */
export const STALLED_MS = 30 * 60_000

/**
 * Number of times, 10, that the size of a backup step's output file is checked within the step's timeout. If the file has grown, the
 * timeout starts again.
 */
const GROWTH_CHECKS = 10

export type StallWatch = Disposable & {
  /**
   * Abort signal for the backup step. It aborts with a {@link BackupRefusedError} when the step made no progress within the timeout. When
   * the parent signal `within` aborts, it aborts with the same reason.
   */
  readonly signal: AbortSignal
  readonly progress: () => void
}

/**
 * Starts the timeout of one backup step: `signal` aborts after `stalledMs` without a call of `progress` or growth of the file
 * `growingFile`. `what` names the step in the error. Disposing it ends the timeout.
 */
export function watchForStall(what: string, within: AbortSignal, stalledMs: number, growingFile?: string): StallWatch {
  const stalled = new AbortController()
  const giveUp = (): void =>
    stalled.abort(new BackupRefusedError(`Cannot finish: ${what} made no progress for ${Math.ceil(stalledMs / 1000)} s`))
  const late = setTimeout(giveUp, stalledMs)
  const progress = (): void => void late.refresh()
  let bytes = 0
  const look = async (): Promise<void> => {
    if (growingFile === undefined) return
    // A file that does not exist yet has not grown.
    const { size } = await stat(growingFile).catch(() => ({ size: 0 }))
    if (size > bytes) progress()
    bytes = size
  }
  const looking = setInterval(() => void look(), stalledMs / GROWTH_CHECKS)
  return {
    signal: AbortSignal.any([within, stalled.signal]),
    progress,
    [Symbol.dispose]() {
      clearTimeout(late)
      clearInterval(looking)
    },
  }
}
