import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { bcryptOf } from './bcrypt.ts'

const TIMEOUT_MS = 30_000

/** Whether the bcrypt hash was made of the password, found out on a thread of its own. Rejects when that takes half a minute. */
export async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { password, hash } })
  try {
    const [right] = (await once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as readonly unknown[] // what the thread says
    return right === true
  } finally {
    await worker.terminate()
  }
}

if (!isMainThread && parentPort !== null) {
  const asked = z.object({ password: z.string(), hash: z.string() }).safeParse(workerData)
  // Another thread that merely imports this has other data.
  if (asked.success) {
    const { derived, expected } = bcryptOf(asked.data.password, asked.data.hash) ?? {}
    parentPort.postMessage(derived !== undefined && expected !== undefined && timingSafeEqual(derived, expected), [])
  }
}
