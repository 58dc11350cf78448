/** A part of a file, both ends included; `whole` when all of it is to be sent; `unsatisfiable` when there is no such part. */
export type ByteRange = { readonly first: number; readonly last: number } | 'whole' | 'unsatisfiable'

/** Reads a `Range` header (RFC 9110, 14.2). Several ranges, other units and what cannot be read are answered with the whole file. */
export function parseByteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (from !== '' && to !== '' && Number(to) < first) return 'whole'
  return first >= bytes || (from === '' && Number(to) === 0) ? 'unsatisfiable' : { first, last }
}
