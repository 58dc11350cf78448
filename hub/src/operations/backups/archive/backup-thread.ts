import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { unpackArchive, writeArchive, type Progress } from './archive.ts'
import { BackupRefusedError } from './backup-error.ts'
import { checkSqlite, copySqlite } from './sqlite-copy.ts'
import type { BackupJob, JobNews, JobResult } from './thread-jobs.ts'

// A thread for one job: what takes seconds of a processor never takes them from the hub.
guardObjectPrototype()
const port = parentPort
if (port === null) throw new TypeError('Cannot make a backup: this is a thread of the hub')
const job = workerData as BackupJob // what thread-jobs.ts gives it

/** More often nobody could read it. */
const TELL_EVERY_MS = 200
let toldAtMs = 0

const progress =
  (step: string): Progress =>
  (doneBytes, totalBytes) => {
    const nowMs = performance.now()
    if (nowMs - toldAtMs < TELL_EVERY_MS) return
    toldAtMs = nowMs
    tell({ progress: { step, doneBytes, totalBytes } })
  }

function tell(news: JobNews): void {
  port?.postMessage(news, [])
}

async function run(): Promise<JobResult> {
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

try {
  tell({ result: await run() })
} catch (error) {
  if (!(error instanceof BackupRefusedError)) throw error
  tell({ refused: error.message })
}
