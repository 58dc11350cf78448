/**
 * True when two values are deeply equal, as in `deepStrictEqual` of `node:assert`. It supports the types that the unit tests compare,
 * without cycles.
 */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isObject(one) || !isObject(other)) return false
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other) || Array.isArray(one) !== Array.isArray(other)) return false
  return hasSameContent(one, other) && hasSameMembers(one, other)
}

/**
 * True when all members of the object `part` are in `whole`; other values must be deeply equal. It is stricter than Node, where arrays may
 * lack entries.
 */
export function isPartOf(part: unknown, whole: unknown): boolean {
  if (!isPlain(part) || !isPlain(whole)) return isDeepEqual(part, whole)
  return keysOf(part).every((key) => Object.hasOwn(whole, key) && isPartOf(Reflect.get(part, key), Reflect.get(whole, key)))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isPlain = (value: unknown): value is object =>
  isObject(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const keysOf = (value: object): readonly PropertyKey[] =>
  Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))

function hasSameMembers(one: object, other: object): boolean {
  const keys = keysOf(one)
  return (
    keys.length === keysOf(other).length &&
    keys.every(
      (key) => Object.prototype.propertyIsEnumerable.call(other, key) && isDeepEqual(Reflect.get(one, key), Reflect.get(other, key)),
    )
  )
}

/** Compares content that is not in members, such as list lengths, map entries and times. Both objects have the same prototype. */
function hasSameContent(one: object, other: object): boolean {
  if (isList(one) && isList(other)) return one.length === other.length
  if (isCollection(one) && isCollection(other)) return hasSameEntries([...one], [...other])
  if (one instanceof Error && other instanceof Error) return hasSameReason(one, other)
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime()
  if (isMadeOfMembers(one)) return true
  throw new TypeError(`Cannot compare ${Object.prototype.toString.call(one)}: nobody did so far`)
}

const isList = (value: object): value is readonly unknown[] | Uint8Array => Array.isArray(value) || value instanceof Uint8Array

const isCollection = (value: object): value is Map<unknown, unknown> | Set<unknown> => value instanceof Map || value instanceof Set

const hasSameReason = (one: Error, other: Error): boolean =>
  one.name === other.name && one.message === other.message && isDeepEqual(one.cause, other.cause)

/** True for objects without hidden state, including those of classes. */
const isMadeOfMembers = (value: object): boolean => Object.prototype.toString.call(value) === '[object Object]'

/** True when both lists have equal entries in any order. */
function hasSameEntries(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false
  const left = [...others]
  return some.every((entry) => {
    const index = left.findIndex((candidate) => isDeepEqual(entry, candidate))
    if (index !== -1) left.splice(index, 1)
    return index !== -1
  })
}
