declare const noPrototype: unique symbol

/**
 * Object without a prototype, created by `nullRecord`. Any text, also `__proto__` and `toString`, is an ordinary key of it. The type is
 * branded, so other objects do not fit.
 */
export type NullRecord<T> = { [name: string]: T; readonly [noPrototype]: true }

/**
 * Creates an object without a prototype, with the given entries. Only this function creates values of its branded type, so code that
 * requires the type cannot get an ordinary object.
 */
export function nullRecord<T>(entries: Iterable<readonly [string, T]> = []): NullRecord<T> {
  const record = Object.create(null) as NullRecord<T> // nothing else makes an object that fits the type
  for (const [name, value] of entries) record[name] = value
  return record
}
