import { plainName } from './plain-name.ts'

/** Longer than any image with its digest. */
const MAX_LENGTH = 512

/** A name that may be long, such as an image's with its digest: whole when there is nothing odd in it, else as `plainName` has it. */
export const longName = (text: string): string => (text.length <= MAX_LENGTH && /^[\u0021-\u007E]*$/.test(text) ? text : plainName(text))
