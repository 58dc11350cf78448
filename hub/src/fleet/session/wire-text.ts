import type { Utf8 } from '@vedette/protocol/cbor/value'
import { rememberedTexts } from './remembered-texts.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const read = rememberedTexts((bytes, from, to) => decoder.decode(bytes.subarray(from, to)))

/** The runtime's own codec, for the protocol's CBOR. */
export const utf8: Utf8 = { encode: (text) => encoder.encode(text), decode: (bytes, from = 0, to = bytes.length) => read(bytes, from, to) }
