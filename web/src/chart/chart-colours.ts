/** Asking for a style makes the browser work out all of them, and a page of charts asks hundreds of times for a drawing. */
const known = new Map<string, string>()

/** The colour that a token has in the theme that is shown, also when that was changed while no chart was there. */
export function colourOf(token: string): string {
  const { documentElement } = document
  const key = `${token} ${documentElement.className}`
  const colour = known.get(key) ?? getComputedStyle(documentElement).getPropertyValue(token).trim()
  known.set(key, colour)
  return colour
}

/** A colour at part of its strength, for areas under lines. */
export const faint = (colour: string, percent: number): string => `color-mix(in srgb, ${colour} ${percent}%, transparent)`
