import { ACCESS, deriveGrantedTags } from '../../accounts/granted-tags.ts'
import { idsIn } from '../filter/matches.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { roles } from './users.ts'

/**
 * Collection `groups`: groups of users, to which admins grant tags of systems. `claim` is the value of the groups claim of an OpenID
 * provider that belongs to the group, `role` the role that membership by claim gives.
 */
export const groups: Collection = {
  name: 'groups',
  id: 'pbc_3346940990',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'name', required: true, maxLength: 255 },
    { kind: 'relation', name: 'members', to: 'users', many: true },
    { kind: 'text', name: 'claim', maxLength: 255 },
    { kind: 'select', name: 'role', values: roles },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  alone: ACCESS,
  unique: [{ fields: ['name'] }, { fields: ['claim'] }],
  hooks: {
    async followed(previous, next, context) {
      const [before, after] = [new Set(idsIn(previous?.['members'])), new Set(idsIn(next?.['members']))]
      const joined = [...after].filter((user) => !before.has(user))
      const left = [...before].filter((user) => !after.has(user))
      await deriveGrantedTags(context, [...joined, ...left])
    },
  },
}
