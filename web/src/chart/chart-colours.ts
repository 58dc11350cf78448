/** The colour that a token has in the theme that is shown. */
export const colourOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim()

/** A colour at part of its strength, for areas under lines. */
export const faint = (colour: string, percent: number): string => `color-mix(in srgb, ${colour} ${percent}%, transparent)`
