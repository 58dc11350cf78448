import { openWorker } from '../../../platform/process/worker.ts'
import { BackupRefusedError } from './backup-error.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { STALLED_MS, watchForStall } from './stall-watch.ts'

/** Timeout, in ms (60 s), until the worker thread that makes or unpacks a backup has started. */
const START_MS = 60_000

type MakeJob = {
  readonly kind: 'make'
  /** Path of the file into which the worker thread that makes a backup writes the archive. */
  readonly path: string
  /** Path of the folder with the files that go into the new backup archive. */
  readonly folder: string
  /** Path of the SQLite database. The job that packs a backup copies it into `folder` first. `undefined` for PostgreSQL. */
  readonly database: string | undefined
  readonly files: readonly ManifestFile['name'][]
  readonly facts: Omit<Manifest, 'format' | 'files'>
}
type UnpackJob = { readonly kind: 'unpack'; readonly path: string; readonly folder: string }

export type BackupJob = MakeJob | UnpackJob
export type JobProgress = { readonly step: string; readonly doneBytes: number; readonly totalBytes: number }
export type JobResult = { readonly manifest?: Manifest }

/**
 * Makes or unpacks a backup archive in a worker thread. `within` aborts the job; it also fails after `stalledMs` (ms) without progress.
 * Resolves to the manifest after unpacking. Rejects with {@link BackupRefusedError} for a reason that a user can fix.
 */
export async function runThreadJob(
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
