import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { atMost } from '../../../platform/deadline.ts'
import { BackupRefusedError } from './backup-error.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { STALLED_MS, watchForStall } from './stall-watch.ts'

/** A thread that is in the middle of a system call ends when that returns; so long is waited for it. */
const ENDS_WITHIN_MS = 1000

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
export type JobNews = { readonly progress: JobProgress } | { readonly result: JobResult } | { readonly refused: string }

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
  // Beside this file, among the sources as in the bundle.
  const worker = new Worker(new URL(`backup-thread${extname(import.meta.url)}`, import.meta.url), { workerData: job })
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>()
  worker.on('message', (news: JobNews) => {
    watch.progress()
    if ('progress' in news) onProgress(news.progress)
    else if ('result' in news) resolve(news.result)
    else reject(new BackupRefusedError(news.refused))
  })
  worker.on('error', reject)
  worker.on('exit', () => reject(new Error('Cannot finish the backup: its thread ended')))
  const end = (): void => reject(signal.reason)
  signal.addEventListener('abort', end)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', end)
    await atMost(ENDS_WITHIN_MS, worker.terminate())
  }
}
