/**
 * Splits a line into its fields, separated by any number of spaces and tabs, and returns them. Regular expressions are avoided, because
 * they are slow in a small JavaScript engine.
 */
export function columns(line: string): readonly string[] {
  const text = (line.includes('\t') ? line.replaceAll('\t', ' ') : line).trim()
  if (!text.includes('  ')) return text.split(' ')
  const fields: string[] = []
  for (const field of text.split(' ')) if (field !== '') fields.push(field)
  return fields
}

/** Returns a list of the lines of a text without those that are empty or white space. */
export const filledLines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

/**
 * Returns the number in a text of 1 to 20 decimal digits, as the kernel prints unsigned 64-bit counters. Beyond 2^53 the last digits are
 * lost. `undefined` for other texts.
 */
export function parseCounter(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text.length > MAX_DIGITS) return undefined
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code < DIGIT_0 || code > DIGIT_9) return undefined
  }
  return Number(text)
}

const MAX_DIGITS = 20
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
