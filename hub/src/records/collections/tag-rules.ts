import { FilterError, namesIn, parseFilter } from '../filter/parse.ts'
import { resolver } from '../filter/resolve.ts'
import { idForm, type Collection, type Collections } from '../model/collection.ts'
import type { FieldError, FieldErrors } from '../model/record-error.ts'
import { LONGEST_TAG, tagProblem } from '../model/tag.ts'

const LONGEST_FILTER = 2000
/**
 * Set of the fields of `systems` that tag rules change (`tags`, `tagSources`, `accessTags`). A rule's filter must not read them, since the
 * rule could then add and remove its own tag forever.
 */
const derivedFields: ReadonlySet<string> = new Set(['tags', 'tagSources', 'accessTags'])

/**
 * Collection `tag_rules`: each rule gives a tag to all systems that match a filter, such as `name ~ 'web-%'`. Tags from rules give no
 * access. Only admins read and write it.
 */
export const tagRules: Collection = {
  name: 'tag_rules',
  id: 'vedette_tag_rule',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'tag', required: true, maxLength: LONGEST_TAG },
    { kind: 'text', name: 'filter', required: true, maxLength: LONGEST_FILTER },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  unique: [{ fields: ['tag', 'filter'] }],
  hooks: {
    check({ tag, filter }, _, collections) {
      const errors: [field: string, error: FieldError | undefined][] = [
        ['tag', typeof tag === 'string' && tag !== '' ? tagProblem(tag) : undefined],
        ['filter', typeof filter === 'string' && filter !== '' ? filterProblem(filter, collections) : undefined],
      ]
      return Object.fromEntries(errors.filter((entry): entry is [string, FieldError] => entry[1] !== undefined)) satisfies FieldErrors
    },
  },
}

function filterProblem(filter: string, collections: Collections): FieldError | undefined {
  try {
    const own = namesIn(parseFilter(filter)).find((name) => name.split(/[.:]/).some((part) => derivedFields.has(part)))
    if (own !== undefined) return { code: 'validation_invalid_filter', message: `A rule cannot depend on tags: it uses "${own}".` }
    const systems = collections.find('systems')
    if (systems !== undefined) resolver(systems, { collections, facts: ruleFacts, nowMs: 0 }).condition(filter, 'everything')
    return undefined
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    return { code: 'validation_invalid_filter', message: error.message }
  }
}

/** Request facts for evaluating the filter of a tag rule: an empty GET request without a user, since no request is involved. */
export const ruleFacts = { context: 'default', method: 'GET', query: {}, headers: {} } as const
