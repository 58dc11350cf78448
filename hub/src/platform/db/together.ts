/**
 * Results of steps of a transaction that run at the same time: PostgreSQL gets their statements in one message, in the order of the steps.
 * Also after a failure it waits for all of them, because none may follow the rollback. Rejects with the first failure.
 */
export async function together<Steps extends readonly unknown[]>(
  ...steps: Steps
): Promise<{ -readonly [At in keyof Steps]: Awaited<Steps[At]> }> {
  try {
    return await Promise.all(steps)
  } catch (error) {
    await Promise.allSettled(steps)
    throw error
  }
}
