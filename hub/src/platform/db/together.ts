/**
 * Awaits the promises of several SQL statements of one transaction, which were started together, and resolves to the list of their results.
 * Rejects with the first error, but only when all have ended, because no statement may follow the rollback.
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
