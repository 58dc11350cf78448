import type { Utf8 } from '@vedette/protocol/cbor/value'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The runtime's own codec, for the protocol's CBOR. */
export const utf8: Utf8 = { encode: (text) => encoder.encode(text), decode: (bytes) => decoder.decode(bytes) }
