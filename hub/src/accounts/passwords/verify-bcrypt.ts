import { openWorker } from '../../platform/process/worker.ts'

const TIMEOUT_MS = 30_000
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Returns true if a text is a bcrypt hash with a cost from 4 to 16. Accounts that were imported from another hub have such hashes. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 16
}

/** Minimum cost (log2 of the rounds) of a bcrypt hash that may stay: 10, as in the OWASP Password Storage Cheat Sheet. */
const SUFFICIENT_COST = 10

/** Returns true for a bcrypt hash with a cost of at least 10, which need not be replaced. */
export function isSufficientBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return isBcrypt(hash) && Number(cost) >= SUFFICIENT_COST
}

/** Resolves to true if a password matches a bcrypt hash. The check runs in a worker thread. Throws `QueueLateError` after `withinMs`. */
export async function verifyBcrypt(password: string, hash: string, withinMs = TIMEOUT_MS): Promise<boolean> {
  const worker = openWorker('bcrypt-thread', import.meta.url, { maxWaiting: 1, waitMs: withinMs, runMs: withinMs })
  try {
    return (await worker.ask({ password, hash })) === true
  } finally {
    await worker.close()
  }
}
