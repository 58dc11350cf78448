import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { QueueLateError } from '../../platform/limits/work-queue.ts'

const TIMEOUT_MS = 30_000
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Whether a text has the form of a bcrypt hash, as other hubs made them. Costs above 16 would take minutes and count as none. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 16
}

/** Whether the bcrypt hash was made of the password, found out on a thread of its own. Throws {@link QueueLateError} when that takes too long. */
export async function verifyBcrypt(password: string, hash: string, withinMs = TIMEOUT_MS): Promise<boolean> {
  // Beside this file, among the sources as in the bundle.
  const thread = new URL(`bcrypt-thread${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(thread, { workerData: { password, hash } })
  const signal = AbortSignal.timeout(withinMs)
  try {
    const [right] = (await once(worker, 'message', { signal })) as readonly unknown[] // what the thread says
    return right === true
  } catch (error) {
    if (signal.aborted) throw new QueueLateError(`Cannot check the password: it took longer than ${withinMs} ms`, { cause: error })
    throw error
  } finally {
    await worker.terminate()
  }
}
