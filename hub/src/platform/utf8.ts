import type { Utf8 } from '@vedette/protocol/cbor/value'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** UTF-8 functions that the CBOR codec needs: `encode` (text to bytes) and `decode` (bytes from index `from` to `to`, to text). */
export const utf8: Utf8 = {
  encode: (text) => encoder.encode(text),
  decode: (bytes, from = 0, to = bytes.length) => decoder.decode(bytes.subarray(from, to)),
}
