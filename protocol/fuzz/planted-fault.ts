const WORD = 'coverage'

/**
 * Fuzzing target with a planted fault: throws if the input starts with the first four letters of a word, checked one by one. Only a fuzzer
 * guided by coverage finds it.
 */
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
