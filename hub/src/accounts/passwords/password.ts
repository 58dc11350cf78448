import { TooManyError } from '../../platform/http/http-error.ts'
import { argon2, randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { QueueFullError, QueueLateError, workQueue } from '../../platform/work-queue.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { isBcrypt, isSufficientBcrypt, verifyBcrypt } from './verify-bcrypt.ts'

/** Memory in KiB that the hash function argon2id uses per password: 19,456. OWASP recommends 19 MiB, 2 passes and 1 lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
/**
 * Maximum number of passwords that are hashed or checked at the same time: 2. Further ones wait in a queue. Hashing shares Node's thread
 * pool with other work.
 */
const MOST_AT_ONCE = 2
/** Maximum number of queued password checks and hashes: 64, about 2 s of work. Further ones are refused with 429. */
const MOST_WAITING = 64
/**
 * Timeout of hashing or checking one password, with its time in the queue, in ms (60 s). After it, the request fails with 503. The most
 * expensive accepted hash takes less.
 */
const WITHIN_MS = 60_000
const RETRY_SECONDS = 2

type Derivation = { readonly salt: Buffer; readonly hash: Buffer; readonly derive: (password: string) => Promise<Buffer> }

/**
 * Hashes a password to `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` (PHC string format). Throws 429 when the queue is full, 503 after 60 s.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await inTurn(() => argon2id(password, { memory: MEMORY_KIB, passes: PASSES, lanes: LANES, salt, length: HASH_BYTES }))
  return `${CURRENT}${unpadded(salt)}$${unpadded(hash)}`
}

const CURRENT = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$`

/**
 * Returns true if a stored password hash has other parameters than new ones; it is replaced at the next sign-in. A strong bcrypt hash from
 * another hub stays, so that its users can return there.
 */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(CURRENT) && !isSufficientBcrypt(stored)
}

/**
 * Resolves to true if a password matches a stored hash (argon2id, scrypt or bcrypt). For other text it takes as long as for a new hash and
 * resolves to false. Throws 429 when the queue is full, 503 after 60 s, for bcrypt after 30 s of work.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (isBcrypt(stored)) return inTurn(() => verifyBcrypt(password, stored))
  const known = parseArgon2id(stored) ?? parseScrypt(stored)
  const { derive, hash } = known ?? nobody
  const derived = await inTurn(() => derive(password))
  return timingSafeEqual(derived, hash) && known !== undefined
}

const nobody = derivation({ memory: MEMORY_KIB, passes: PASSES, lanes: LANES }, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

type Costs = { readonly memory: number; readonly passes: number; readonly lanes: number }

function derivation(costs: Costs, salt: Buffer, hash: Buffer): Derivation {
  return { salt, hash, derive: (password) => argon2id(password, { ...costs, salt, length: hash.length }) }
}

function parseArgon2id(stored: string): Derivation | undefined {
  const [, memory, passes, lanes, salt, hash] =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([\w+/-]+)\$([\w+/-]{22,})$/.exec(stored) ?? []
  if (salt === undefined || hash === undefined) return undefined
  const costs = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  return derivation(costs, Buffer.from(salt, 'base64'), Buffer.from(hash, 'base64'))
}

/**
 * Parses a scrypt hash, as earlier versions of this hub made them. Returns the stored key and a function that derives a key from a
 * password, for comparison. `undefined` for other text.
 */
function parseScrypt(stored: string): Derivation | undefined {
  const [, log2N, r, p, salt, hash] = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? []
  if (salt === undefined || hash === undefined) return undefined
  const options: ScryptOptions = { N: 2 ** Number(log2N), r: Number(r), p: Number(p), maxmem: 256 * 2 ** Number(log2N) * Number(r) }
  const [saltBytes, hashBytes] = [Buffer.from(salt, 'base64url'), Buffer.from(hash, 'base64url')]
  const derive = (password: string): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      scrypt(normal(password), saltBytes, hashBytes.length, options, (error, key) => (error === null ? resolve(key) : reject(error)))
    })
  return { salt: saltBytes, hash: hashBytes, derive }
}

function argon2id(password: string, { memory, passes, lanes, salt, length }: Costs & { salt: Buffer; length: number }): Promise<Buffer> {
  const parameters = { message: normal(password), nonce: salt, parallelism: lanes, tagLength: length, memory, passes }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error === null ? resolve(Buffer.from(key)) : reject(error)))
  })
}

/**
 * Returns a password in Unicode normalization form NFKC, since keyboards type some characters in different forms. Use it before hashing and
 * checking.
 */
const normal = (password: string): string => password.normalize('NFKC')

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const queue = workQueue({ atOnce: MOST_AT_ONCE, mostWaiting: MOST_WAITING, withinMs: WITHIN_MS })

/**
 * Runs the hashing or check of a password (`work`) when fewer than 2 run, and resolves to its result. Throws 429 if 64 are queued, and 503
 * after 60 s or when `work` rejects with a `QueueLateError`.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await queue(work)
  } catch (error) {
    if (error instanceof QueueFullError) throw new TooManyError(RETRY_SECONDS)
    if (error instanceof QueueLateError) throw new RecordError(503, 'Checking the password took too long. Try again in a moment.')
    throw error
  }
}
