/** Returns the given class names joined with spaces; false and `undefined` are left out. */
export const cn = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => name !== false && name !== undefined).join(' ')
