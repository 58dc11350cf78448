/**
 * Settles as `work` does, or rejects with the error that `late()` returns after `ms` milliseconds. The work is not stopped, and its later
 * rejection is ignored. When both are due, as after suspend, `work` wins.
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

/** Resolves when `work` has settled, or after `ms` milliseconds, whichever is first. Never rejects. Used for cleanup when the hub stops. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work.then(ignore, ignore), late])
  clearTimeout(timer)
}

const ignore = (): void => {}
