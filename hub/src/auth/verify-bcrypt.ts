import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

const TIMEOUT_MS = 30_000

/** Whether the bcrypt hash was made of the password, found out on a thread of its own. Rejects when that takes half a minute. */
export async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  // Beside this file, among the sources as in the bundle.
  const thread = new URL(`bcrypt-thread${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(thread, { workerData: { password, hash } })
  try {
    const [right] = (await once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as readonly unknown[] // what the thread says
    return right === true
  } finally {
    await worker.terminate()
  }
}
