/** Class names that apply, joined. */
export const cn = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => name !== false && name !== undefined).join(' ')
