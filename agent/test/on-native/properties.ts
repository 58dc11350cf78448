import * as fc from 'fast-check'

// Replacement for the library `fast-check`: all its exports, but with fewer runs where a test requests many.
export * from 'fast-check'

/** Maximum number of runs of a property. A run takes about 20 times as long as on Node, and the host ends a turn after 10 s. */
const MAX_RUNS = 100

export const assert = <T>(property: fc.IRawProperty<T>, parameters: fc.Parameters<T> = {}): void | Promise<void> =>
  fc.assert(property, { ...parameters, numRuns: Math.min(parameters.numRuns ?? MAX_RUNS, MAX_RUNS) })
