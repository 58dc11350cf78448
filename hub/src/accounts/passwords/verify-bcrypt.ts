import { openWorker } from '../../platform/process/worker.ts'

const TIMEOUT_MS = 30_000
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Returns true for a bcrypt hash, as other hubs made them. Hashes with a cost below 4 or above 16 give false. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 16
}

/** Cost from which a bcrypt hash resists guessing well enough (OWASP Password Storage Cheat Sheet). */
const SUFFICIENT_COST = 10

/** Returns true for a bcrypt hash whose cost suffices today. */
export function isSufficientBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return isBcrypt(hash) && Number(cost) >= SUFFICIENT_COST
}

/** Returns true if a password matches a bcrypt hash. Runs in a worker thread. Throws `QueueLateError` on a timeout. */
export async function verifyBcrypt(password: string, hash: string, withinMs = TIMEOUT_MS): Promise<boolean> {
  const worker = openWorker('bcrypt-thread', import.meta.url, { maxWaiting: 1, waitMs: withinMs, runMs: withinMs })
  try {
    return (await worker.ask({ password, hash })) === true
  } finally {
    await worker.close()
  }
}
