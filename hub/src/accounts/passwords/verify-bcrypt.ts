import { openWorker } from '../../platform/worker.ts'

const TIMEOUT_MS = 30_000
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Whether a text has the form of a bcrypt hash, as other hubs made them. Costs above 16 would take minutes and count as none. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 16
}

/** Whether the bcrypt hash was made of the password. Throws {@link QueueLateError} when that takes too long. */
export async function verifyBcrypt(password: string, hash: string, withinMs = TIMEOUT_MS): Promise<boolean> {
  const worker = openWorker('bcrypt-thread', import.meta.url, { maxWaiting: 1, waitMs: withinMs, runMs: withinMs })
  try {
    return (await worker.ask({ password, hash })) === true
  } finally {
    await worker.close()
  }
}
