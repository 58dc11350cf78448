/** The fields of one line, separated by any amount of spaces and tabs; for lines that have few of them. Patterns are slow in a small engine. */
export function columns(line: string): readonly string[] {
  const text = (line.includes('\t') ? line.replaceAll('\t', ' ') : line).trim()
  if (!text.includes('  ')) return text.split(' ')
  const fields: string[] = []
  for (const field of text.split(' ')) if (field !== '') fields.push(field)
  return fields
}

/** Lines that hold something. */
export const filledLines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

/** A whole number of 0 or more and at most 64 bits, as the kernel prints counters; beyond 2^53 the last digits are lost. */
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
