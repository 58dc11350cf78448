import type { Utf8 } from '@vedette/protocol/cbor/value'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The runtime's UTF-8 codec, for the CBOR of the protocol. */
export const utf8: Utf8 = {
  encode: (text) => encoder.encode(text),
  decode: (bytes, from = 0, to = bytes.length) => decoder.decode(bytes.subarray(from, to)),
}
