import { join } from 'node:path'
import { serveWorker } from '../../../platform/process/worker.ts'
import { unpackArchive, writeArchive, type Progress } from './archive.ts'
import { BackupRefusedError } from './backup-error.ts'
import { checkSqlite, copySqlite } from './sqlite-copy.ts'
import type { BackupJob, JobProgress, JobResult } from './thread-jobs.ts'

const PROGRESS_EVERY_MS = 200

serveWorker(() => ({
  handle(request, onProgress) {
    let lastMs = 0
    const progressOf =
      (step: string): Progress =>
      (doneBytes, totalBytes) => {
        const nowMs = performance.now()
        if (nowMs - lastMs < PROGRESS_EVERY_MS) return
        lastMs = nowMs
        onProgress({ step, doneBytes, totalBytes } satisfies JobProgress)
      }
    return run(request as BackupJob, progressOf) // from thread-jobs.ts
  },
}))

async function run(job: BackupJob, progress: (step: string) => Progress): Promise<JobResult> {
  if (job.kind === 'make') {
    if (job.database !== undefined) await copySqlite(job.database, join(job.folder, 'database.sqlite'), progress('copying'))
    await writeArchive(job.path, job, progress('writing'))
    return {}
  }
  const manifest = await unpackArchive(job.path, job.folder, progress('unpacking'))
  if (manifest.database !== 'sqlite') return { manifest }
  const facts = checkSqlite(join(job.folder, 'database.sqlite'))
  const isSame = facts.schemaVersion === manifest.schemaVersion && facts.instance === manifest.instance && facts.proof === manifest.proof
  if (!isSame) throw new BackupRefusedError('Cannot read the backup: its manifest is of another database')
  return { manifest }
}
