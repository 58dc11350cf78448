import * as fc from 'fast-check'

// Takes the place of the library's name: all of it, but with fewer runs where a test asks for many.
export * from 'fast-check'

/** A run takes some twenty times as long here as on Node, and all runs of a property are one turn, of which the host ends what goes on for 10 s. */
const MAX_RUNS = 100

export const assert = <T>(property: fc.IRawProperty<T>, parameters: fc.Parameters<T> = {}): void | Promise<void> =>
  fc.assert(property, { ...parameters, numRuns: Math.min(parameters.numRuns ?? MAX_RUNS, MAX_RUNS) })
