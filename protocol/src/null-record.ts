declare const noPrototype: unique symbol

/** An object without a prototype: any text is a name like any other in it, `__proto__` and `toString` included. */
export type NullRecord<T> = { [name: string]: T; readonly [noPrototype]: true }

/** The only function that creates this type, so the type guarantees the missing prototype. */
export function nullRecord<T>(entries: Iterable<readonly [string, T]> = []): NullRecord<T> {
  const record = Object.create(null) as NullRecord<T> // nothing else makes an object that fits the type
  for (const [name, value] of entries) record[name] = value
  return record
}
