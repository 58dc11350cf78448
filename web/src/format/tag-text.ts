/** Maximum length of a tag in code points. */
const LONGEST_TAG = 64

export type TagProblem = 'tooLong' | 'badCharacter'

/**
 * Returns the tags in a typed text, separated by commas, in the form in which the hub stores them: normalized (NFC) and trimmed. Blank ones
 * and duplicates are left out.
 */
export const tagsIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(',').flatMap((part) => part.normalize('NFC').trim() || [])),
]

/** Checks the text of a tag by the hub's rules. Returns the problem; `undefined` when the tag is valid. */
export function tagProblem(tag: string): TagProblem | undefined {
  if (/["\p{Cc}]/u.test(tag)) return 'badCharacter'
  return Array.from(tag).length > LONGEST_TAG ? 'tooLong' : undefined
}
