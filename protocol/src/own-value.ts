// Looked up once: the agent's small engine pays for looking up.
const { hasOwn } = Object

/** An own property by an untrusted name; `undefined` for inherited ones such as `toString`. */
export function ownValue<T>(object: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return object !== undefined && hasOwn(object, name) ? object[name] : undefined
}

/** Has an object itself hold a value under a name from outside, `__proto__` and `toString` included. */
export function setOwnValue<T>(object: { [name: string]: T }, name: string, value: T): void {
  if (name in Object.prototype) Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  else object[name] = value
}
