const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const GROUP_BYTES = 3

/** Encodes bytes as base64 (RFC 4648 section 4). It is independent of the agent's own decoder, which it tests. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += GROUP_BYTES) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + GROUP_BYTES)
    const group = first * 65_536 + second * 256 + third
    const digits = [18, 12, 6, 0].map((bits) => ALPHABET[Math.floor(group / 2 ** bits) % 64] ?? '')
    const known = Math.min(bytes.length - at, GROUP_BYTES) + 1
    text += digits.slice(0, known).join('').padEnd(4, '=')
  }
  return text
}

/** Creates a replacement for `Buffer` with the methods that tests use: conversions of bytes to text. */
export const bytesAsText = (fromUtf8: (bytes: Uint8Array) => string) => ({
  from: (bytes: Iterable<number>) => ({
    toString: (encoding?: string): string => {
      if (encoding === 'base64') return base64Of(Uint8Array.from(bytes))
      if (encoding === undefined) return fromUtf8(Uint8Array.from(bytes))
      throw new Error(`There is no text in ${encoding} here`)
    },
  }),
})
