import type { Utf8 } from '../src/cbor/value.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** UTF-8 codec of the runtime that the tests run on. */
export const nodeUtf8: Utf8 = {
  encode: (text) => encoder.encode(text),
  decode: (bytes, from, to) => decoder.decode(bytes.subarray(from, to)),
}
