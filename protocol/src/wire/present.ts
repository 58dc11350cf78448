/**
 * Type of the argument of `present`: like `T`, but optional fields may have the value `undefined`. `present` removes such fields, so that
 * the result is a `T`.
 */
export type Loose<T> = {
  [K in keyof T]: T[K] | (undefined extends T[K] ? undefined : Pick<T, K> extends Required<Pick<T, K>> ? never : undefined)
}

/** Returns a copy of the object `fields` without the fields whose value is `undefined`. */
export function present<T extends object>(fields: Loose<T>): T {
  const known: Record<string, unknown> = {}
  // No list of keys is made: this runs some hundred times for each sample, on plain objects.
  for (const key in fields) {
    const value: unknown = fields[key as keyof T]
    if (value !== undefined) known[key] = value
  }
  // Dropping `undefined` is exactly what turns Loose<T> into T; the compiler cannot follow a loop over keys.
  return known as T
}
