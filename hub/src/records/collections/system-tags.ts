import { ownValue } from '@vedette/protocol/own-value'
import { castValue } from '../model/field-value.ts'
import type { FieldError, FieldErrors } from '../model/record-error.ts'
import type { RecordValues } from '../model/record-store.ts'
import type { HookContext, SentWrite } from '../model/collection.ts'
import { checkField } from '../model/field-check.ts'
import { isAdmin } from '../model/stored-record.ts'
import {
  changeTags,
  MOST_TAGS,
  parseSources,
  tagFields,
  type SourcedTag,
  type TagAuthor,
  type TagChange,
  type TagSource,
} from '../model/tag.ts'

const field = { kind: 'labels', name: 'tags' } as const

/**
 * Parses the change of a system's tags from a request body: the tags that it sets (`tags`), adds (`tags+`) and removes (`tags-`).
 * `undefined` if it has none of these keys.
 */
function changeIn(body: RecordValues): TagChange | undefined {
  const tagsOf = (key: string): readonly string[] | undefined => {
    const sent = ownValue(body, key)
    return sent === undefined ? undefined : (castValue(field, sent) as readonly string[]) // castValue makes a list of texts
  }
  const all = (keys: readonly string[]): readonly string[] => keys.flatMap((key) => tagsOf(key) ?? [])
  const change = { set: tagsOf('tags'), added: all(['tags+', '+tags', '+tags+']), removed: all(['tags-', '+tags-']) }
  return change.set === undefined && change.added.length === 0 && change.removed.length === 0 ? undefined : change
}

/**
 * Resolves to the tag fields to store after a user's change of a system's tags (`values`, empty without a change), and errors by field.
 * Nobody may remove a tag of the agent or of a rule; only admins may set tags that give access.
 */
export async function deriveTags({ body, previous, actor }: SentWrite, context: HookContext): Promise<DerivedTags> {
  const change = changeIn(body)
  if (change === undefined) return { values: {}, errors: {} }
  const author: TagAuthor = isAdmin(actor) ? 'admin' : 'person'
  const { tags, given, kept } = changeTags(parseSources(previous?.['tagSources']), change, author)
  const values = tagFields(tags)
  const [first] = kept
  if (first !== undefined) return { values, errors: { tags: keptError(first) } }
  const isRefused = author === 'admin' || checkField({ ...field, most: MOST_TAGS }, values.tags) !== undefined
  const granting = isRefused ? undefined : await grantingTag(given, context)
  return { values, errors: granting === undefined ? {} : { tags: grantsError(granting) } }
}

type DerivedTags = { readonly values: RecordValues; readonly errors: FieldErrors }

/** Resolves to the first of `tags` that gives users access to systems by a record of `tag_access`; `undefined` if none does. */
async function grantingTag(tags: readonly string[], { store, unit }: HookContext): Promise<string | undefined> {
  for (const tag of tags) if ((await store.loadWhere('tag_access', { tag }, unit, 1)).length > 0) return tag
  return undefined
}

const grantsError = (tag: string): FieldError => ({
  code: 'validation_tag_grants',
  message: `The tag "${tag}" gives access to systems. Only admins can set it.`,
  params: { tag },
})

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
