/** Maximum length, in UTF-16 units, to which names from hardware and drivers are cut for display: 128. */
const MAX_LENGTH = 128

/**
 * Returns a name from hardware or a driver cleaned for display. Invalid UTF-8 and escape sequences are removed, and control characters and
 * blanks become single spaces. It has at most 128 UTF-16 units and may be empty.
 */
export function plainName(text: string): string {
  if (text.length <= MAX_LENGTH && PLAIN.test(text)) return text
  return text
    .replaceAll(ESCAPE_SEQUENCE, '')
    .replaceAll(UNPRINTABLE, ' ')
    .replaceAll('\uFFFD', '')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
}

/**
 * Regular expression that matches names that can be displayed without cleaning, which are most names: printable ASCII with single spaces
 * between words.
 */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/

// Matches a terminal control sequence (ECMA-48): escape, bracket, parameters, final letter.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const ESCAPE_SEQUENCE = /\u001B\[[0-?]*[ -/]*[@-~]/g

// Matches control characters, and those that change the direction of the text around them.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g
