// Looked up once, because property look-ups are slow in the agent's small JavaScript engine.
const { hasOwn } = Object

/** Returns an object's own property by an untrusted name; `undefined` for inherited ones such as `toString`. */
export function ownValue<T>(object: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return object !== undefined && hasOwn(object, name) ? object[name] : undefined
}

/**
 * Sets an object's own property under a name from untrusted input, including `__proto__` and `toString`, without changing the object's
 * prototype.
 */
export function setOwnValue<T>(object: { [name: string]: T }, name: string, value: T): void {
  if (name in Object.prototype) Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  else object[name] = value
}
