import { createHmac } from 'node:crypto'
import { isSameSecret } from './same-secret.ts'
import type { SecretBox } from './secret-box.ts'

/**
 * Functions that sign values for one purpose as a token (`sign`) and check such tokens (`verify`). Every hub with the same secret key can
 * check a token, also after a restart.
 */
export type SignedValues = {
  /**
   * Returns a token with the values (1 to 64 ASCII letters, digits, `-` or `_` each) and the time when it expires, in epoch ms. It has only
   * characters that a URL needs no escapes for. Everybody can read its values. `undefined` for other values, and for more than 4.
   */
  readonly sign: (values: readonly string[], expiresMs: number) => string | undefined
  /**
   * Verifies a token of any text and returns its values. `undefined` if it was changed, is malformed, was signed for another purpose or
   * with another key, or has expired at `nowMs` (epoch ms).
   */
  readonly verify: (token: string, nowMs: number) => readonly string[] | undefined
}

/** Maximum length of a token in characters (512). Longer texts are rejected before their signature is computed. */
const LONGEST_TOKEN = 512
/** Regular expression for the signed part of a token: its values, and the expiry in seconds, joined by dots. */
const SIGNED_PART = /^(?:[\w-]{1,64}\.){1,4}\d{1,11}$/

/**
 * Creates `sign` and `verify` for tokens of one `purpose`, with a key (HMAC-SHA-256) that is derived for it from the hub's secret key.
 * Signatures are compared in constant time and as text, because decoders accept several texts for one signature.
 */
export function signedValues(secrets: Pick<SecretBox, 'derive'>, purpose: string): SignedValues {
  const key = secrets.derive(purpose)
  const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  return {
    sign(values, expiresMs) {
      const text = [...values, Math.floor(expiresMs / 1000)].join('.')
      const fits = SIGNED_PART.test(text) && !values.some((value) => value.includes('.'))
      return fits ? `${text}.${signatureOf(text)}` : undefined
    },
    verify(token, nowMs) {
      if (token.length > LONGEST_TOKEN) return undefined
      const end = token.lastIndexOf('.')
      const text = token.slice(0, Math.max(0, end))
      if (!SIGNED_PART.test(text) || !isSameSecret(token.slice(end + 1), signatureOf(text))) return undefined
      const values = text.split('.')
      const expiresSeconds = Number(values.pop())
      return expiresSeconds * 1000 > nowMs ? values : undefined
    },
  }
}
