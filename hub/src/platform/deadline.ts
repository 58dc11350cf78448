/**
 * Settles as `work` does, or rejects with `late()` if that takes longer than `ms`. The work goes on: a rejection that comes later is heard
 * here and goes nowhere. A process that was held up itself first reads what has come meanwhile.
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

/** Resolves when `work` has ended, well or not, or after `ms`: for what is left behind at the end. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work.then(ignore, ignore), late])
  clearTimeout(timer)
}

const ignore = (): void => {}
