import { timingSafeEqual } from 'node:crypto'

/**
 * Returns true when two texts are equal. For texts of equal byte length the comparison takes constant time, so that its duration does not
 * reveal where they differ.
 */
export function isSameSecret(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}
