/**
 * Cache of CSS colours: map from custom property and theme to the value. Reading them from the browser (`getComputedStyle`) is slow, and a
 * page of charts reads colours hundreds of times.
 */
const colourCache = new Map<string, string>()

/**
 * Returns the current value of a CSS custom property that holds a colour, such as `--series-1`, as CSS colour text. It is cached for each
 * theme.
 */
export function colourOf(token: string): string {
  const { documentElement } = document
  const key = `${token} ${documentElement.className}`
  const colour = colourCache.get(key) ?? getComputedStyle(documentElement).getPropertyValue(token).trim()
  colourCache.set(key, colour)
  return colour
}

/** Returns `colour` with an opacity of `percent` (0 to 100), as a CSS colour (`color-mix`), for the areas under chart lines. */
export const faint = (colour: string, percent: number): string => `color-mix(in srgb, ${colour} ${percent}%, transparent)`
