/** Joins CSS class names with spaces and returns them as one text; false and `undefined` are left out. */
export const cn = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => name !== false && name !== undefined).join(' ')
