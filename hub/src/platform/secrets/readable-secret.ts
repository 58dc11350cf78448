import type { SecretBox } from './secret-box.ts'

/**
 * Decrypts one secret among other settings. Returns `''` if it is damaged or was encrypted with another key, so that the other settings
 * stay readable.
 */
export function readableSecret(secrets: SecretBox, place: string, sealed: string): string {
  try {
    return secrets.open(place, sealed)
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}
