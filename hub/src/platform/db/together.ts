/**
 * Awaits promises of several statements of one transaction and resolves with their results. PostgreSQL gets the statements in one message.
 * After a failure it first waits for all of them, because no statement may follow the rollback, and then rejects with the first error.
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
