/**
 * Protects `Object.prototype` of this process or thread against prototype pollution: nothing can add properties to it or replace its
 * methods. Freezing it would also forbid ordinary objects a property named `constructor`, which Node's HTTP parser sets for a header of
 * that name.
 */
export function guardObjectPrototype(): void {
  const prototype = Object.prototype
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value
    if (method !== undefined) Object.defineProperty(prototype, name, { get: () => method, set: ownSetter(name) })
  }
  // Existing accessors keep working; freezing only makes them permanent.
  Object.freeze(prototype)
}

/**
 * Returns the setter function that guards the property `name` of `Object.prototype` against prototype pollution. Assigning to another
 * object defines the property on that object; assigning to `Object.prototype` throws `TypeError`.
 */
function ownSetter(name: string) {
  return function set(this: object, value: unknown): void {
    if (this === Object.prototype) throw new TypeError(`Cannot change "${name}" of all objects`)
    Object.defineProperty(this, name, { value, enumerable: true, writable: true, configurable: true })
  }
}
