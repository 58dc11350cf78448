import { ACCESS, deriveGrantedTags, membersOf } from '../../accounts/groups/granted-tags.ts'
import { idForm, type Collection, type HookContext } from '../model/collection.ts'
import { blank } from '../model/field-check.ts'
import type { FieldErrors } from '../model/record-error.ts'
import type { RecordValues } from '../model/record-store.ts'
import { asText, textOf, type StoredRecord } from '../model/stored-record.ts'
import { normalTag, tagProblem } from '../model/tag.ts'

/**
 * Definition of the collection `tag_access`. Each record grants a user, or the members of a group, the right to view or change all systems
 * with a tag. Only tags count that an admin or an admin's enrolment token set.
 */
export const tagAccess: Collection = {
  name: 'tag_access',
  id: 'pbc_2769025244',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'tag', required: true },
    { kind: 'relation', name: 'user', to: 'users', cascade: true },
    { kind: 'relation', name: 'group', to: 'groups', cascade: true },
    { kind: 'select', name: 'may', required: true, values: ['view', 'change'] },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  alone: ACCESS,
  unique: [{ fields: ['tag', 'user', 'group'] }],
  hooks: {
    prepareCreate: async (values) => withNormalTag(values),
    prepareUpdate: (next) => withNormalTag(next),
    check: grantErrors,
    followed: async (previous, next, context) =>
      deriveGrantedTags(context, [...(await holdersOf(previous, context)), ...(await holdersOf(next, context))]),
  },
}

const withNormalTag = (values: RecordValues): RecordValues => ({ ...values, tag: normalTag(asText(values['tag'] ?? '')) })

function grantErrors(grant: RecordValues): FieldErrors {
  const tag = asText(grant['tag'] ?? '')
  const problem = tag === '' ? undefined : tagProblem(tag)
  const [user, group] = [grant['user'] ?? '', grant['group'] ?? '']
  return {
    ...(problem !== undefined && { tag: problem }),
    ...(user === '' && group === '' && { user: blank, group: blank }),
    ...(user !== '' && group !== '' && { group: { code: 'validation_one_holder', message: 'A grant is for a user or for a group.' } }),
  }
}

/**
 * Resolves to the ids of the users who get access by a grant (record of `tag_access`): its user, or all members of its group. Empty for
 * `undefined`.
 */
export async function holdersOf(grant: StoredRecord | undefined, { unit, store }: HookContext): Promise<readonly string[]> {
  if (grant === undefined) return []
  const user = textOf(grant, 'user')
  if (user !== '') return [user]
  const group = await store.load('groups', textOf(grant, 'group'), unit)
  return [...membersOf(group)]
}
