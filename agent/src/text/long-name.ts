import { plainName } from './plain-name.ts'

/** Maximum length of a long name in UTF-16 units; a longer one is shortened. It is above that of an image with its digest. */
const MAX_LENGTH = 512

/**
 * Returns a cleaned name that may be long, such as an image with its digest. Printable ASCII is returned whole; other names pass through
 * `plainName`.
 */
export const longName = (text: string): string => (text.length <= MAX_LENGTH && /^[\u0021-\u007E]*$/.test(text) ? text : plainName(text))
