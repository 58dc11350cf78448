import { Session } from 'node:inspector'

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type Script = { readonly url: string; readonly functions: readonly { readonly ranges: readonly Range[] }[] }

export type CoveredCode = {
  /**
   * Returns true if, since the last call, the fuzzed scripts have executed code that is not yet known. With `remember`, that code is known
   * from then on; without it, the next call reports it again.
   */
  readonly isNew: (remember: boolean) => boolean
  /**
   * Returns the amount of code covered at the last `isNew` with `remember`: number of source characters of the fuzzed scripts' functions
   * that have run. Characters of a nested function count for each enclosing function too.
   */
  readonly characters: () => number
  readonly close: () => void
}

/**
 * Starts to record which code runs in the scripts whose URL `isWatched` selects, with V8's block coverage. Returns the functions that query
 * it. Load the scripts afterwards: code that is already compiled is not watched.
 */
export function watchCode(isWatched: (url: string) => boolean): CoveredCode {
  const session = new Session()
  session.connect()
  const post = (method: string, parameters: object = {}): unknown => {
    let result: unknown
    // A session of this very thread responds synchronously.
    session.post(method, parameters, (error, answer) => {
      if (error !== null) throw error
      result = answer
    })
    return result
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /**
   * Coverage so far: map from a function of the fuzzed scripts (script and range) to an array. It has one element per source character,
   * nested functions included: 1 if the character has run, else 0.
   */
  const reached = new Map<string, Uint8Array>()

  return {
    isNew(remember) {
      const { result } = post('Profiler.takePreciseCoverage') as { readonly result: readonly Script[] } // as the protocol of V8's inspector has it
      let isNew = false
      for (const { url, functions } of result) {
        if (!isWatched(url)) continue
        for (const { ranges } of functions) {
          const [whole] = ranges
          if (whole === undefined) continue
          const place = `${url}:${whole.startOffset}`
          const known = reached.get(place) ?? new Uint8Array(whole.endOffset - whole.startOffset)
          if (!hasNewCharacters(ranges, known, remember)) continue
          isNew = true
          if (remember) reached.set(place, known)
        }
      }
      return isNew
    },
    characters: () => [...reached.values()].reduce((sum, one) => sum + one.reduce((of, at) => of + at, 0), 0),
    close: () => session.disconnect(),
  }
}

/**
 * Returns true when V8's coverage `ranges` report characters of a function as run whose element in `known` is 0. With `remember`, these
 * elements are set to 1. For nested ranges, the innermost one decides.
 */
function hasNewCharacters(ranges: readonly Range[], known: Uint8Array, remember: boolean): boolean {
  const first = ranges[0]?.startOffset ?? 0
  const counts = new Uint8Array(known.length)
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count === 0 ? 0 : 1, startOffset - first, endOffset - first)
  let isNew = false
  for (let at = 0; at < counts.length; at++) {
    if (counts[at] !== 1 || known[at] === 1) continue
    isNew = true
    if (!remember) break
    known[at] = 1
  }
  return isNew
}
