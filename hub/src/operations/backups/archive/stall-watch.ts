import { stat } from 'node:fs/promises'
import { BackupRefusedError } from './backup-error.ts'

/** Timeout of a backup step without progress, in ms. The check of a large database reports nothing for minutes. */
export const STALLED_MS = 30 * 60_000

/** Number of checks of the growing file's size within the timeout. */
const GROWTH_CHECKS = 10

export type StallWatch = Disposable & {
  /**
   * Abort signal that aborts with a {@link BackupRefusedError} after the timeout without progress, or with the reason of the parent signal.
   */
  readonly signal: AbortSignal
  readonly progress: () => void
}

/**
 * Starts the watch of one backup step, whose `signal` aborts after `stalledMs` without progress. Calls of `progress` and growth of
 * `growingFile` count as progress. `what` names the step in the error.
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
