import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What a session token says. Clients decode the payload with plain base64 and compare `exp`, seconds since 1970, with
 * their own clock; so no claim may hold a character that base64url spells differently (`~`, `?`, `>` or beyond ASCII).
 */
export type TokenClaims = {
  readonly id: string
  readonly collectionId: string
  readonly type: 'auth' | 'file' | 'passwordReset' | 'emailChange' | 'verification'
  readonly exp: number
  /** Whether it can be exchanged for a fresh one. */
  readonly refreshable?: boolean
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** JSON Web Token, RFC 7519, signed with HMAC-SHA-256. `key` is the account's own: a new one ends all its tokens. */
export function signToken(claims: TokenClaims, key: string): string {
  const signed = `${HEADER}.${encode(claims)}`
  return `${signed}.${signature(signed, key)}`
}

/** The claims as they stand, unproved: they say whose key to check with. `undefined` for anything malformed. */
export function readClaims(token: string): TokenClaims | undefined {
  const [header, payload = '', proof] = token.split('.')
  if (header !== HEADER || proof === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return isClaims(claims) ? claims : undefined
  } catch {
    // A token is text from outside: what is no JSON is no token.
    return undefined
  }
}

/** Whether the token was signed with `key` and is still good at `nowMs`. */
export function isGenuine(token: string, key: string, nowMs: number): boolean {
  const claims = readClaims(token)
  const end = token.lastIndexOf('.')
  const proof = Buffer.from(token.slice(end + 1))
  const expected = Buffer.from(signature(token.slice(0, end), key))
  const signed = proof.length === expected.length && timingSafeEqual(proof, expected)
  return signed && claims !== undefined && claims.exp * 1000 > nowMs
}

const signature = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('base64url')

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function isClaims(value: unknown): value is TokenClaims {
  if (typeof value !== 'object' || value === null) return false
  const { id, collectionId, type, exp } = value as Partial<Record<keyof TokenClaims, unknown>> // narrowed field by field below
  return typeof id === 'string' && typeof collectionId === 'string' && typeof type === 'string' && typeof exp === 'number'
}
