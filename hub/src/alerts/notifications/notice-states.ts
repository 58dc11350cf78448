/** States of a notification that is kept back: by quiet hours (`held`), by an outage that explains it (`silenced`, then `outlasting`). */
export const keptBackStates: readonly string[] = ['held', 'silenced', 'outlasting']

/** States of a stored notification that was not queued for delivery yet: `new`, or kept back. */
export const openStates: readonly string[] = ['new', ...keptBackStates]
