/** Thrown when the hub's health check fails on restored data. See {@link proveHealth}. */
export class HealthUnproved extends Error {
  override readonly name = 'HealthUnproved'
}

const ANSWERS_WITHIN_MS = 30_000

/**
 * Sends one request to `/api/health` of the hub at this base URL. Rejects with {@link HealthUnproved} unless the hub responds with success
 * within 30 s.
 */
export async function proveHealth(address: string): Promise<void> {
  try {
    const response = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) })
    await response.body?.cancel()
    if (response.ok) return
    throw new HealthUnproved(`Cannot use the restored backup: /api/health answers ${response.status}`)
  } catch (cause) {
    if (cause instanceof HealthUnproved) throw cause
    throw new HealthUnproved('Cannot use the restored backup: /api/health does not answer', { cause })
  }
}
