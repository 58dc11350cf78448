/** Yields to the event loop. The embedded database responds within one turn, so a sequence of queries would block all other work. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
