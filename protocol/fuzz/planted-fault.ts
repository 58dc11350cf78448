const WORD = 'coverage'

/**
 * Fuzzing target with a planted fault: throws if the bytes start with `cove`, checked one letter after the other. Only a fuzzer guided by
 * coverage finds it.
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
