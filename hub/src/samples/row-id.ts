/**
 * The id of a row that belongs to a system and is known by a key there: FNV-1a, 32 bits, in hexadecimal, as existing
 * clients and imported rows have it. `attempt` gives another one for the rare row whose id is taken.
 */
export function rowId(system: string, key: string, attempt = 0): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(system + key + '\0'.repeat(attempt))) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(MIN_LENGTH, '0')
}

const MIN_LENGTH = 6
