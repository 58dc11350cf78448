/** A decoded CBOR item (RFC 8949). Integers beyond ±2^53 are `bigint`; tags are dropped, their content is kept. */
export type CborValue = number | bigint | string | boolean | null | Uint8Array | readonly CborValue[] | CborMap

/** Keys are integers or texts: no peer of ours uses others, and entries under other keys are skipped while decoding. */
export type CborMap = ReadonlyMap<number | string, CborValue>

/** Text ⇄ UTF-8 belongs to the runtime: a loop over bytes is slow where the agent runs, and the bare language has no codec. */
export type Utf8 = {
  /** Lone surrogates become U+FFFD. */
  readonly encode: (text: string) => Uint8Array
  /** The bytes in `[from, to)`, all when absent. Invalid sequences become U+FFFD: one bad byte must not lose a whole sample. */
  readonly decode: (bytes: Uint8Array, from?: number, to?: number) => string
}

export const isCborMap = (value: CborValue | undefined): value is CborMap => value instanceof Map
