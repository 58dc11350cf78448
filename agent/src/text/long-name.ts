import { plainName } from './plain-name.ts'

/** Maximum length, in UTF-16 units, of a long name such as an image with its digest: 512. A longer one is shortened. */
const MAX_LENGTH = 512

/**
 * Cleans a name that may be long, such as an image with its digest, and returns it. Printable ASCII without spaces, up to 512 characters,
 * stays as it is; other names pass through `plainName`, which cuts them to 128.
 */
export const longName = (text: string): string => (text.length <= MAX_LENGTH && /^[\u0021-\u007E]*$/.test(text) ? text : plainName(text))
