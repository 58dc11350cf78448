import { tagErrorOf } from './tag-error.ts'
import { tagsIn } from './tag-text.ts'
import * as words from '../words/messages.js'

/** Reads the text of a field for one tag. Returns the tag as the hub stores it, or the translated error of the text. */
export function readSingleTag(typed: string): { readonly tag: string } | { readonly error: string } {
  const [tag, ...others] = tagsIn(typed)
  if (others.length > 0 || (tag !== undefined && typed.includes(','))) return { error: words.problem_tag_one() }
  if (tag === undefined) return { error: words.problem_required() }
  const error = tagErrorOf(tag)
  return error === undefined ? { tag } : { error }
}
