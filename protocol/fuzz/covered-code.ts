import { Session } from 'node:inspector'

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type Script = { readonly url: string; readonly functions: readonly { readonly ranges: readonly Range[] }[] }

export type CoveredCode = {
  /** Whether what ran since the last question reached code that was not reached before. With `remember` false it is asked again. */
  readonly isNew: (remember: boolean) => boolean
  /** Characters of the watched functions that were reached so far, in each function that they are part of. */
  readonly characters: () => number
  readonly close: () => void
}

/** Watches which code of some scripts runs, by the block coverage of V8. Load the scripts afterwards: what is compiled already is not watched. */
export function watchCode(isWatched: (url: string) => boolean): CoveredCode {
  const session = new Session()
  session.connect()
  const post = (method: string, parameters: object = {}): unknown => {
    let result: unknown
    // A session of this very thread answers at once.
    session.post(method, parameters, (error, answer) => {
      if (error !== null) throw error
      result = answer
    })
    return result
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** By function, for each of its characters 1 when it was reached. A function's range includes those inside of it, whether they ran or not. */
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
          if (!reaches(ranges, known, remember)) continue
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

/** Whether ranges of a function have characters that are not known. They lie in one another, the inner after the outer: the innermost count is true. */
function reaches(ranges: readonly Range[], known: Uint8Array, remember: boolean): boolean {
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
