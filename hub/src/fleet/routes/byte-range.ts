/**
 * Byte range of a file, first and last byte included. `whole`: send the complete file; `unsatisfiable`: the range lies outside of the file.
 */
export type ByteRange = { readonly first: number; readonly last: number } | 'whole' | 'unsatisfiable'

/**
 * Parses a `Range` request header (RFC 9110, 14.2) for a file of `bytes` bytes. Several ranges, other units and invalid headers give
 * `whole`.
 */
export function parseByteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return 'whole'
  if (from === '') return within(bytes - Math.min(Number(to), bytes), bytes - 1, bytes)
  if (to === '') return within(Number(from), bytes - 1, bytes)
  return Number(to) < Number(from) ? 'whole' : within(Number(from), Math.min(Number(to), bytes - 1), bytes)
}

const within = (first: number, last: number, bytes: number): ByteRange => (first >= bytes ? 'unsatisfiable' : { first, last })
