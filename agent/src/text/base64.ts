const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes base64 (RFC 4648 section 4), with or without padding, and returns the bytes. `undefined` when the text is not valid base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/={0,2}$/, '')
  if (digits.length % 4 === 1 || (digits.length !== text.length && text.length % 4 !== 0)) return undefined
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let buffer = 0
  let bits = 0
  let length = 0
  for (const digit of digits) {
    const value = alphabet.indexOf(digit)
    if (value === -1) return undefined
    buffer = ((buffer << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[length++] = (buffer >> bits) & 0xff
    }
  }
  return bytes
}
