import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** RFC 7914 parameters: 32 MiB and about 60 ms of one core. Kept in each hash, so that they can grow without breaking old ones. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const
const KEY_BYTES = 32
const SALT_BYTES = 16

/** What one derivation may need; hashes that ask for more are refused rather than tried. */
const MAX_MEMORY_BYTES = 128 * 1024 * 1024

export const MIN_PASSWORD_LENGTH = 8

/** `scrypt$N$r$p$salt$key`, both last parts in base64. The work runs on the thread pool. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES })
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Whether the password has this hash. A text that is no hash of ours fits no password. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = hash.split('$')
  const expected = Buffer.from(key, 'base64')
  if (scheme !== 'scrypt' || expected.length !== KEY_BYTES) return false
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: MAX_MEMORY_BYTES }
  const actual = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), KEY_BYTES, cost)
  return timingSafeEqual(actual, expected)
}

let decoy: Promise<string> | undefined

/** Costs what checking a real password costs, and is always wrong: for addresses that nobody has. */
export async function refusePassword(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(SALT_BYTES).toString('base64'))
  await isPassword(password, await decoy)
  return false
}
