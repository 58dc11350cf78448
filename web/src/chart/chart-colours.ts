/**
 * Map from CSS token and theme class to the colour's value, as a cache. `getComputedStyle` forces a style recalculation, and charts read
 * colours hundreds of times.
 */
const colourCache = new Map<string, string>()

/** Returns the value of a CSS colour token such as `--series-1` in the current theme. Cached for each theme. */
export function colourOf(token: string): string {
  const { documentElement } = document
  const key = `${token} ${documentElement.className}`
  const colour = colourCache.get(key) ?? getComputedStyle(documentElement).getPropertyValue(token).trim()
  colourCache.set(key, colour)
  return colour
}

/** Returns a CSS colour with `percent` opacity, for areas under lines. */
export const faint = (colour: string, percent: number): string => `color-mix(in srgb, ${colour} ${percent}%, transparent)`
