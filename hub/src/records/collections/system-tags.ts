import { ownValue } from '@vedette/protocol/own-value'
import { castValue } from '../model/field-value.ts'
import type { FieldError, FieldErrors } from '../model/record-error.ts'
import type { RecordValues } from '../model/record-store.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { changeTags, parseSources, tagFields, type SourcedTag, type TagAuthor, type TagChange, type TagSource } from '../model/tag.ts'

const field = { kind: 'labels', name: 'tags' } as const

/** Returns the tags that a request body sets, adds and removes; `undefined` if it changes none. */
function changeIn(body: RecordValues): TagChange | undefined {
  const tagsOf = (key: string): readonly string[] | undefined => {
    const sent = ownValue(body, key)
    return sent === undefined ? undefined : (castValue(field, sent) as readonly string[]) // castValue makes a list of texts
  }
  const all = (keys: readonly string[]): readonly string[] => keys.flatMap((key) => tagsOf(key) ?? [])
  const change = { set: tagsOf('tags'), added: all(['tags+', '+tags']), removed: all(['tags-']) }
  return change.set === undefined && change.added.length === 0 && change.removed.length === 0 ? undefined : change
}

/**
 * Returns the fields of a system's tags after a request by an author, and the errors of that request by field. The values are empty if the
 * request changes no tags.
 */
export function deriveTags(
  body: RecordValues,
  previous: StoredRecord | undefined,
  author: TagAuthor,
): { readonly values: RecordValues; readonly errors: FieldErrors } {
  const change = changeIn(body)
  if (change === undefined) return { values: {}, errors: {} }
  const { tags, kept } = changeTags(parseSources(previous?.['tagSources']), change, author)
  const [first] = kept
  return { values: tagFields(tags), errors: first === undefined ? {} : { tags: keptError(first) } }
}

const names: Readonly<Record<TagSource, string>> = {
  admin: 'an admin',
  token: 'an enrolment token',
  person: 'a user',
  agent: 'the agent',
  rule: 'a rule',
}

function keptError({ tag, sources }: SourcedTag): FieldError {
  const message = `The tag "${tag}" is also set by ${sources.map((source) => names[source]).join(', ')}.`
  return { code: 'validation_tag_kept', message, params: { tag, sources } }
}
