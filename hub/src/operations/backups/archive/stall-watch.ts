import { stat } from 'node:fs/promises'
import { BackupRefusedError } from './backup-error.ts'

/** How long a step of a backup may go without progress; the check of a large database says nothing for minutes. */
export const STALLED_MS = 30 * 60_000

/** How often a growing file is looked at within that time. */
const LOOKS = 10

export type StallWatch = Disposable & {
  /** Aborts with a {@link BackupRefusedError} when there was no progress for too long, and with the reason of the signal it was made of. */
  readonly signal: AbortSignal
  readonly progress: () => void
}

/** Watches one step. `growingFile`: the step makes progress while this file grows. */
export function watchForStall(what: string, within: AbortSignal, stalledMs: number, growingFile?: string): StallWatch {
  const stalled = new AbortController()
  const giveUp = (): void =>
    stalled.abort(new BackupRefusedError(`Cannot finish: ${what} made no progress for ${Math.ceil(stalledMs / 1000)} s`))
  const late = setTimeout(giveUp, stalledMs)
  const progress = (): void => void late.refresh()
  let bytes = 0
  const look = async (): Promise<void> => {
    if (growingFile === undefined) return
    // A file that is not there yet has not grown.
    const { size } = await stat(growingFile).catch(() => ({ size: 0 }))
    if (size > bytes) progress()
    bytes = size
  }
  const looking = setInterval(() => void look(), stalledMs / LOOKS)
  return {
    signal: AbortSignal.any([within, stalled.signal]),
    progress,
    [Symbol.dispose]() {
      clearTimeout(late)
      clearInterval(looking)
    },
  }
}
