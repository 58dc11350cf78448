/**
 * Decoded CBOR item (RFC 8949). Integers of 2^53 and more in magnitude are `bigint`. Tags are dropped and their content stays; simple
 * values other than booleans are `null`.
 */
export type CborValue = number | bigint | string | boolean | null | Uint8Array | readonly CborValue[] | CborMap

/** CBOR map with integer or text keys. Decoding drops entries with other keys, which no hub or agent uses. */
export type CborMap = ReadonlyMap<number | string, CborValue>

/**
 * UTF-8 encoder and decoder of the runtime (Node.js or the native agent). The bare language has none, and a loop over bytes would be slow
 * in the agent.
 */
export type Utf8 = {
  /** Encodes a text as UTF-8 bytes. Lone surrogates become U+FFFD. */
  readonly encode: (text: string) => Uint8Array
  /**
   * Decodes the bytes in `[from, to)`, by default all. Invalid sequences become U+FFFD, so that one bad byte does not lose a whole sample.
   */
  readonly decode: (bytes: Uint8Array, from?: number, to?: number) => string
}

export const isCborMap = (value: CborValue | undefined): value is CborMap => value instanceof Map
