import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isSameSecret } from '../../platform/secrets/same-secret.ts'

/**
 * The claims of a token. `exp` is in seconds since the epoch. `auth` is a session of a collection; `admin` is a session of the oldest
 * clients, which have no collection for admins; `file` only fetches files.
 */
export type TokenClaims =
  | { readonly type: 'auth'; readonly id: string; readonly collectionId: string; readonly exp: number; readonly refreshable: boolean }
  | { readonly type: 'file'; readonly id: string; readonly collectionId: string; readonly exp: number }
  | { readonly type: 'admin'; readonly id: string; readonly exp: number }

const common = { id: z.string().min(1), exp: z.number() }
const claimsSchema = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal('auth'), collectionId: z.string(), refreshable: z.boolean().default(true) }),
  z.object({ ...common, type: z.literal('file'), collectionId: z.string() }),
  z.object({ ...common, type: z.literal('admin') }),
])

const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')
const LONGEST = 2048

/** Signs a session token or a file token. */
export const signToken = (claims: TokenClaims, key: string): string => signJson(claims, key)

/**
 * A JSON Web Token (RFC 7519) with HS256. Clients decode the payload as plain base64. It is therefore ASCII without `~`, `?` and `>`, so
 * its base64url contains neither `-` nor `_`.
 */
export function signJson(claims: object, key: string): string {
  const ascii = JSON.stringify(claims).replaceAll(
    /[^\u0020-\u003d\u0040-\u007d]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const payload = Buffer.from(ascii).toString('base64url')
  return `${HEADER}.${payload}.${signature(`${HEADER}.${payload}`, key)}`
}

/** Reads the claims without verifying the token; undefined if it is not a token of this hub. */
export function readClaims(token: string): TokenClaims | undefined {
  return claimsSchema.safeParse(readJson(token)).data
}

/** Reads the payload without verifying the token; undefined if it is not a token of this hub. */
export function readJson(token: string): unknown {
  const [header, payload, , rest] = token.length > LONGEST ? [] : token.split('.')
  if (header !== HEADER || payload === undefined || rest !== undefined) return undefined
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    // The caller continues as a guest.
    return undefined
  }
}

/**
 * True if the token was signed with the key. Signatures are compared as text, because JWT libraries accept four texts for one signature.
 * Sessions end by the hash of their token, so another text would revive an ended session.
 */
export function isSignedWith(token: string, key: string): boolean {
  const end = token.lastIndexOf('.')
  return isSameSecret(token.slice(end + 1), signature(token.slice(0, end), key))
}

function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
