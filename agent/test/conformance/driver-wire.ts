/** JSON value that a test and the script under its control exchange. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [name: string]: Wire }

const BYTES = '$bytes'

/** Converts a value of the runtime to JSON: bytes are marked with `$bytes`, `undefined` members are left out. */
export function plain(value: unknown): Wire {
  if (value instanceof Uint8Array) return { [BYTES]: Array.from(value) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, plain(one)]])))
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Converts JSON from `plain` back to the value of the runtime. */
export function revived(value: Wire): unknown {
  if (Array.isArray(value)) return value.map(revived)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [name, content] = entries[0] ?? []
  if (name === BYTES && Array.isArray(content)) return Uint8Array.from(content.map(Number))
  return Object.fromEntries(entries.map(([key, one]) => [key, revived(one)]))
}
