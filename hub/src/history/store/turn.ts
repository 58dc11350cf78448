/** Lets whoever waits have a turn: the embedded database answers within one, and a row of questions would let nobody in. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
