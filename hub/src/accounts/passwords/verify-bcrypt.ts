import { openWorker } from '../../platform/worker.ts'

const TIMEOUT_MS = 30_000
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** True for a bcrypt hash, as other hubs made them. Costs above 16 would take minutes and are rejected. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 16
}

/** Verifies a password against a bcrypt hash. Throws {@link QueueLateError} on a timeout. */
export async function verifyBcrypt(password: string, hash: string, withinMs = TIMEOUT_MS): Promise<boolean> {
  const worker = openWorker('bcrypt-thread', import.meta.url, { maxWaiting: 1, waitMs: withinMs, runMs: withinMs })
  try {
    return (await worker.ask({ password, hash })) === true
  } finally {
    await worker.close()
  }
}
