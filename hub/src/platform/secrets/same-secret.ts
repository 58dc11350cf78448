import { timingSafeEqual } from 'node:crypto'

/** Compares two texts. The duration does not reveal where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}
