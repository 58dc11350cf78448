import type { OptionReader } from './option-reader.ts'

/**
 * Regular expression that matches a SHA-256 digest as `openssl x509 -noout -fingerprint -sha256` prints it, with or without the text before
 * the digits.
 */
const DIGEST = /^(?:sha256(?: fingerprint)?[=:]\s*)?((?:[0-9a-f]{2}:?){31}[0-9a-f]{2})$/i

/**
 * Reads the option HUB_CERT_SHA256 and returns it: the SHA-256 of the hub's pinned certificate, as 64 lower-case hexadecimal digits.
 * `undefined` when it is not set or invalid. An invalid text, or a `url` that is not `wss:`, is reported.
 */
export function readCertificate(reader: OptionReader, url: string): string | undefined {
  const text = reader.text('HUB_CERT_SHA256')
  if (text === undefined) return undefined
  const digits = DIGEST.exec(text)?.[1]?.replaceAll(':', '').toLowerCase()
  if (digits === undefined) reader.refuse(`HUB_CERT_SHA256: "${text}" is not the SHA-256 of a certificate, which has 64 hexadecimal digits`)
  else if (!url.startsWith('wss:')) reader.refuse('HUB_CERT_SHA256: HUB_URL is not an https address, so the hub shows no certificate')
  return digits
}
