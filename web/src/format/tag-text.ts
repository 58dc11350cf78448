/** Maximum length of a tag in Unicode code points: 64, as at the hub. A longer tag is reported as `tooLong`. */
const LONGEST_TAG = 64

export type TagProblem = 'tooLong' | 'badCharacter'

/**
 * Parses a typed text with tags separated by commas. Returns the list of tags as the hub stores them: normalized (NFC) and trimmed, without
 * blank ones and duplicates.
 */
export const tagsIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(',').flatMap((part) => part.normalize('NFC').trim() || [])),
]

/**
 * Validates one tag by the hub's rules. Returns the name of the problem as a code, `badCharacter` or `tooLong`; `undefined` for a valid
 * tag.
 */
export function tagProblem(tag: string): TagProblem | undefined {
  if (/["\p{Cc}]/u.test(tag)) return 'badCharacter'
  return Array.from(tag).length > LONGEST_TAG ? 'tooLong' : undefined
}
