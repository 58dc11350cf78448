/**
 * Settles as the promise `work` does. After `ms` milliseconds it rejects with the error that `late()` returns; `work` then continues, and
 * its later rejection is ignored. If both are due, as after a suspension, `work` wins.
 */
export async function withDeadline<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => setImmediate(() => reject(late())), ms)
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Resolves when the promise `work` has settled, or after `ms` milliseconds, whichever comes first. Never rejects. Used when the hub stops,
 * so that cleanup cannot block it.
 */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work.then(ignore, ignore), late])
  clearTimeout(timer)
}

const ignore = (): void => {}
