import * as words from '../words/messages.js'
import { tagProblem, tagsIn, type TagProblem } from './tag-text.ts'

const problemWords: Readonly<Record<TagProblem, () => string>> = {
  tooLong: words.problem_tag_too_long,
  badCharacter: words.problem_tag_character,
}

/** Returns the translated error of the first invalid tag in a typed text with tags separated by commas; `undefined` when all are valid. */
export function tagErrorOf(typed: string): string | undefined {
  const problem = tagsIn(typed).flatMap((tag) => tagProblem(tag) ?? [])[0]
  return problem === undefined ? undefined : problemWords[problem]()
}
