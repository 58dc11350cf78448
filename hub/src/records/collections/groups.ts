import { ACCESS, deriveGrantedTags, membersOf } from '../../accounts/groups/granted-tags.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { roles } from './users.ts'

/** Definition of the collection `groups`: groups of users, to which admins grant tags of systems. Only admins read and write them. */
export const groups: Collection = {
  name: 'groups',
  id: 'pbc_3346940990',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'name', required: true, maxLength: 255 },
    { kind: 'relation', name: 'members', to: 'users', many: true },
    // Value of a provider's claim about groups. Who has it becomes one of `claimMembers` at sign-in, and gets `role`.
    { kind: 'text', name: 'claim', maxLength: 255 },
    { kind: 'select', name: 'role', values: roles },
    { kind: 'relation', name: 'claimMembers', to: 'users', many: true, derived: true },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  alone: ACCESS,
  unique: [{ fields: ['name'] }, { fields: ['claim'] }],
  hooks: {
    // Members by another value are members no more.
    prepareUpdate: (next, previous) => (next['claim'] === previous['claim'] ? next : { ...next, claimMembers: [] }),
    async followed(previous, next, context) {
      const [before, after] = [membersOf(previous), membersOf(next)]
      const joined = [...after].filter((user) => !before.has(user))
      const left = [...before].filter((user) => !after.has(user))
      await deriveGrantedTags(context, [...joined, ...left])
    },
  },
}
