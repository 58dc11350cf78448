/**
 * Lets nothing in this program or thread add to `Object.prototype` or replace its methods, so that no name from outside reaches every
 * object. Freezing alone would forbid `constructor` on objects that inherit it too, and Node's HTTP parser sets it for a header of that
 * name, outside of any handler.
 */
export function guardObjectPrototype(): void {
  const prototype = Object.prototype
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value
    if (method !== undefined) Object.defineProperty(prototype, name, { get: () => method, set: ownSetter(name) })
  }
  // Accessors stay what they are: freezing them only fixes them in their place.
  Object.freeze(prototype)
}

/** As an assignment does where the prototype has an ordinary property: the object itself gets it. */
function ownSetter(name: string) {
  return function set(this: object, value: unknown): void {
    if (this === Object.prototype) throw new TypeError(`Cannot change "${name}" of all objects`)
    Object.defineProperty(this, name, { value, enumerable: true, writable: true, configurable: true })
  }
}
