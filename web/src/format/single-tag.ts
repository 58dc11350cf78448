import { tagErrorOf } from './tag-error.ts'
import { tagsIn } from './tag-text.ts'
import * as words from '../words/messages.js'

/** Validates a form field that must contain exactly one tag. Returns `tag`, normalized as the hub stores it, or the translated `error`. */
export function readSingleTag(typed: string): { readonly tag: string } | { readonly error: string } {
  const [tag, ...others] = tagsIn(typed)
  if (others.length > 0 || (tag !== undefined && typed.includes(','))) return { error: words.problem_tag_one() }
  if (tag === undefined) return { error: words.problem_required() }
  const error = tagErrorOf(tag)
  return error === undefined ? { tag } : { error }
}
