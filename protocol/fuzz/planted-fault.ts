const WORD = 'coverage'

/** Throws for one word at the start, one letter after the other: who tries at random does not find it. */
export function planted(bytes: Uint8Array): void {
  let at = 0
  if (bytes[at] === WORD.charCodeAt(at)) at++
  else return
  if (bytes[at] === WORD.charCodeAt(at)) at++
  else return
  if (bytes[at] === WORD.charCodeAt(at)) at++
  else return
  if (bytes[at] === WORD.charCodeAt(at)) throw new Error('found')
}
