import { fnv1a } from '../platform/fnv1a.ts'

/**
 * The id of a row that belongs to a system and is known by a key there: FNV-1a, 32 bits, in hexadecimal, as existing
 * clients and imported rows have it. `attempt` gives another one for the rare row whose id is taken.
 */
export function rowId(system: string, key: string, attempt = 0): string {
  const hash = fnv1a(new TextEncoder().encode(system + key + '\0'.repeat(attempt)))
  return hash.toString(16).padStart(MIN_LENGTH, '0')
}

const MIN_LENGTH = 6
