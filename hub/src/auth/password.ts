import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** OWASP's second choice for scrypt: N = 2^16, r = 8, p = 2 costs 64 MiB and some 150 ms off the main thread. */
const LOG2_N = 16
const R = 8
const P = 2
const SALT_BYTES = 16
const HASH_BYTES = 32

type Parameters = { readonly log2N: number; readonly r: number; readonly p: number; readonly salt: Buffer; readonly hash: Buffer }

/** `$scrypt$ln=16,r=8,p=2$salt$hash`: a hash carries what made it, so that it can be made stronger later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, { log2N: LOG2_N, r: R, p: P, salt, hash: Buffer.alloc(HASH_BYTES) })
  return `$scrypt$ln=${LOG2_N},r=${R},p=${P}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Whether the hash was made of this password; false, and as slow, for a text that is no hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const known = parseHash(stored)
  const parameters = known ?? { log2N: LOG2_N, r: R, p: P, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }
  const derived = await derive(password, parameters)
  return timingSafeEqual(derived, parameters.hash) && known !== undefined
}

function parseHash(stored: string): Parameters | undefined {
  const [, log2N, r, p, salt, hash] = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? []
  if (salt === undefined || hash === undefined) return undefined
  return { log2N: Number(log2N), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

function derive(password: string, { log2N, r, p, salt, hash }: Parameters): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hash.length, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
