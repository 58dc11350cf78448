import { fnv1a } from '../platform/fnv1a.ts'

/**
 * Id of a row with a key within its system: 32-bit FNV-1a in hexadecimal, as existing clients and imported rows use it. `attempt` gives
 * another id for the rare case that it is taken.
 */
export function rowId(system: string, key: string, attempt = 0): string {
  const hash = fnv1a(new TextEncoder().encode(system + key + '\0'.repeat(attempt)))
  return hash.toString(16).padStart(MIN_LENGTH, '0')
}

const MIN_LENGTH = 6
