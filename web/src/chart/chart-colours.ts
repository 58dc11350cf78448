/** Asking for a style makes the browser work out all of them, and a page of charts asks hundreds of times for a drawing. */
const known = new Map<string, string>()

/** The colour that a token has in the theme that is shown. */
export function colourOf(token: string): string {
  const colour = known.get(token) ?? getComputedStyle(document.documentElement).getPropertyValue(token).trim()
  known.set(token, colour)
  return colour
}

/** Another theme has other colours. */
export const forgetColours = (): void => known.clear()

/** A colour at part of its strength, for areas under lines. */
export const faint = (colour: string, percent: number): string => `color-mix(in srgb, ${colour} ${percent}%, transparent)`
