import { Secret, TOTP } from 'otpauth'

/** Length of the time step of TOTP codes in ms: 30 s, as all authenticator apps use it (RFC 6238). */
export const STEP_MS = 30_000
const DIGITS = 6
/** Length in bytes (20) of a TOTP secret: that of the HMAC's output, which RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Number of 30-second steps before and after the current one whose codes are accepted: 1, for clocks that differ and slow typing. */
const WINDOW = 1

/** Returns a new random TOTP secret as base32 text without padding: 32 characters. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

type TotpLabel = {
  /** Issuer in the `otpauth://` URL: the name of the hub, which an authenticator app shows beside the 6-digit code. */
  readonly issuer: string
  /** Account name in the `otpauth://` URL: the user's email address, which an authenticator app shows beside the code. */
  readonly account: string
}

/** Returns the URI (`otpauth://totp/…`) by which an authenticator app stores a secret in base32; a QR code shows it. */
export function totpUri(secret: string, { issuer, account }: TotpLabel): string {
  // Apps split the label at the first colon, also at an encoded one.
  const label = { issuer: issuer.replaceAll(':', ' '), label: account.replaceAll(':', ' ') }
  return new TOTP({ ...label, ...parameters, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * Returns the number of the time step (epoch time divided by 30 s) to which a 6-digit code of a base32 secret belongs. `undefined` for a
 * wrong code, and for one of a step further than 1 from now.
 */
export function matchingStep(secret: string, code: string, nowMs: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const delta = TOTP.validate({ token: code, ...parameters, secret: Secret.fromBase32(secret), timestamp: nowMs, window: WINDOW })
  return delta === null ? undefined : Math.floor(nowMs / STEP_MS) + delta
}

const parameters = { algorithm: 'SHA1', digits: DIGITS, period: STEP_MS / 1000 } as const

/** Returns true for a text of 6 digits, the form of an authenticator app's code. Recovery codes have another form. */
export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text)
