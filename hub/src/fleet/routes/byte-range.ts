/** A part of a file, both ends included; `whole` when all of it is to be sent; `unsatisfiable` when there is no such part. */
export type ByteRange = { readonly first: number; readonly last: number } | 'whole' | 'unsatisfiable'

/** Reads a `Range` header (RFC 9110, 14.2). Several ranges, other units and what cannot be read are answered with the whole file. */
export function parseByteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return 'whole'
  if (from === '') return within(bytes - Math.min(Number(to), bytes), bytes - 1, bytes)
  if (to === '') return within(Number(from), bytes - 1, bytes)
  return Number(to) < Number(from) ? 'whole' : within(Number(from), Math.min(Number(to), bytes - 1), bytes)
}

const within = (first: number, last: number, bytes: number): ByteRange => (first >= bytes ? 'unsatisfiable' : { first, last })
