import { plainName } from './plain-name.ts'

/** Maximum length of a long name in UTF-16 units; a longer one is shortened. An image name with its digest is shorter than that. */
const MAX_LENGTH = 512

/**
 * Cleans a name that may be long, such as an image with its digest, and returns it. Printable ASCII stays whole; other names pass through
 * `plainName`, which shortens them.
 */
export const longName = (text: string): string => (text.length <= MAX_LENGTH && /^[\u0021-\u007E]*$/.test(text) ? text : plainName(text))
