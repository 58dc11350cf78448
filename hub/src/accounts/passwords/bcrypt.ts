/**
 * bcrypt (Provos and Mazières, 1999), to check passwords hashed before this hub; it never makes such hashes. It is slow by design
 * and occupies its thread: see verify-bcrypt.ts.
 */

const BITS = 32
const ROUNDS = 16
const P_WORDS = ROUNDS + 2
const S_WORDS = 256
const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const SALT_BYTES = 16
const HASH_BYTES = 23
const LONGEST_KEY = 72
const FORM = /^\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/

/** Whether a text has the form of a bcrypt hash. Costs above 16 would take minutes and count as none. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = FORM.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 16
}

/** The 23 bytes that the password gives with a hash's cost and salt, and those the hash holds; undefined for what is no such hash. */
export function bcryptOf(password: string, hash: string): { readonly derived: Uint8Array; readonly expected: Uint8Array } | undefined {
  const [, cost, salt, expected] = FORM.exec(hash) ?? []
  if (!isBcrypt(hash) || salt === undefined || expected === undefined) return undefined
  // The key ends with a zero byte, and goes around.
  const key = new TextEncoder().encode(`${password}\0`).subarray(0, LONGEST_KEY)
  return { derived: derive(key, decode(salt, SALT_BYTES), Number(cost)), expected: decode(expected, HASH_BYTES) }
}

function derive(key: Uint8Array, salt: Uint8Array, cost: number): Uint8Array {
  const state = initialState()
  const zeros = new Uint8Array(SALT_BYTES)
  expand(state, key, salt)
  for (let left = 2 ** cost; left > 0; left -= 1) {
    expand(state, key, zeros)
    expand(state, salt, zeros)
  }
  const text = words(new TextEncoder().encode('OrpheanBeholderScryDoubt'))
  for (let block = 0; block < text.length; block += 2) for (let times = 0; times < 64; times += 1) encipher(state, text, block)
  const bytes = new Uint8Array(text.length * 4)
  for (const [at, word] of text.entries()) new DataView(bytes.buffer).setUint32(at * 4, word)
  return bytes.subarray(0, HASH_BYTES)
}

/** Blowfish's P array, then its four S boxes. */
type State = Uint32Array

function expand(state: State, key: Uint8Array, salt: Uint8Array): void {
  const keyWords = cycled(key)
  const saltWords = cycled(salt)
  for (let at = 0; at < P_WORDS; at += 1) state[at] = (state[at] ?? 0) ^ keyWords()
  const block = new Uint32Array(2)
  for (let at = 0; at < state.length; at += 2) {
    block[0] = (block[0] ?? 0) ^ saltWords()
    block[1] = (block[1] ?? 0) ^ saltWords()
    encipher(state, block, 0)
    state[at] = block[0] ?? 0
    state[at + 1] = block[1] ?? 0
  }
}

function encipher(state: State, block: Uint32Array, at: number): void {
  let left = block[at] ?? 0
  let right = block[at + 1] ?? 0
  for (let round = 0; round < ROUNDS; round += 1) {
    left ^= state[round] ?? 0
    const a = (state[P_WORDS + (left >>> 24)] ?? 0) + (state[P_WORDS + S_WORDS + ((left >>> 16) & 0xff)] ?? 0)
    const b = (a ^ (state[P_WORDS + 2 * S_WORDS + ((left >>> 8) & 0xff)] ?? 0)) + (state[P_WORDS + 3 * S_WORDS + (left & 0xff)] ?? 0)
    const next = right ^ b
    right = left
    left = next
  }
  block[at] = right ^ (state[P_WORDS - 1] ?? 0)
  block[at + 1] = left ^ (state[P_WORDS - 2] ?? 0)
}

/** The bytes as big-endian words, over and over. */
function cycled(bytes: Uint8Array): () => number {
  let at = 0
  return () => {
    let word = 0
    for (let byte = 0; byte < 4; byte += 1) {
      word = (word << 8) | (bytes[at] ?? 0)
      at = (at + 1) % bytes.length
    }
    return word
  }
}

function words(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(at * 4))
}

/** Six bits a character, most significant first. */
function decode(text: string, length: number): Uint8Array {
  const bits = Array.from(text, (character) => ALPHABET.indexOf(character).toString(2).padStart(6, '0')).join('')
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2))
}

/** Blowfish starts from the binary digits of π after the point. */
function initialState(): State {
  const count = P_WORDS + 4 * S_WORDS
  const guard = 64n
  const one = 1n << (BigInt(count * BITS) + guard)
  // Machin: π = 16 arctan(1/5) − 4 arctan(1/239).
  const digits = (16n * arctanOfInverse(5n, one) - 4n * arctanOfInverse(239n, one) - 3n * one) >> guard
  const hex = digits.toString(16).padStart(count * 8, '0')
  return Uint32Array.from({ length: count }, (_, at) => Number.parseInt(hex.slice(at * 8, at * 8 + 8), 16))
}

function arctanOfInverse(inverse: bigint, one: bigint): bigint {
  let power = one / inverse
  let sum = power
  for (let odd = 3n, sign = -1n; power > 0n; odd += 2n, sign = -sign) {
    power /= inverse * inverse
    sum += (sign * power) / odd
  }
  return sum
}
