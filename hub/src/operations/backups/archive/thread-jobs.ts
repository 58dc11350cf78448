import { openWorker } from '../../../platform/worker.ts'
import { BackupRefusedError } from './backup-error.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { STALLED_MS, watchForStall } from './stall-watch.ts'

/** Time until a thread that was just started is ready. */
const START_MS = 60_000

type MakeJob = {
  readonly kind: 'make'
  /** The archive that is made. */
  readonly path: string
  /** Holds what goes into it. */
  readonly folder: string
  /** The embedded database, which is copied there first. */
  readonly database: string | undefined
  readonly files: readonly ManifestFile['name'][]
  readonly facts: Omit<Manifest, 'format' | 'files'>
}
type UnpackJob = { readonly kind: 'unpack'; readonly path: string; readonly folder: string }

export type BackupJob = MakeJob | UnpackJob
export type JobProgress = { readonly step: string; readonly doneBytes: number; readonly totalBytes: number }
export type JobResult = { readonly manifest?: Manifest }

/** Runs a job in a thread of its own. Rejects with {@link BackupRefusedError} for what a person can change; `within` ends it. */
export async function runJob(
  job: BackupJob,
  onProgress: (progress: JobProgress) => void,
  within: AbortSignal,
  stalledMs = STALLED_MS,
): Promise<JobResult> {
  within.throwIfAborted()
  using watch = watchForStall('the thread of the backup', within, stalledMs)
  const { signal } = watch
  const worker = openWorker('backup-thread', import.meta.url, { maxWaiting: 1, waitMs: START_MS })
  const end = (): void => void worker.close(signal.reason)
  signal.addEventListener('abort', end)
  try {
    const result = await worker.ask(job, (progress) => {
      watch.progress()
      onProgress(progress as JobProgress) // the thread's progress
    })
    return result as JobResult // the thread's result
  } catch (error) {
    throw error instanceof Error && error.name === 'BackupRefusedError' ? new BackupRefusedError(error.message, { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', end)
    await worker.close()
  }
}
