import { ACCESS, deriveGrantedTags } from '../../accounts/granted-tags.ts'
import { idsIn } from '../filter/matches.ts'
import { idForm, type Collection } from '../model/collection.ts'

/** Collection `groups`: groups of users, to which admins grant tags of systems. Only admins read and write them. */
export const groups: Collection = {
  name: 'groups',
  id: 'pbc_3346940990',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'name', required: true, maxLength: 255 },
    { kind: 'relation', name: 'members', to: 'users', many: true },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  alone: ACCESS,
  unique: [{ fields: ['name'] }],
  hooks: {
    async followed(previous, next, context) {
      const [before, after] = [new Set(idsIn(previous?.['members'])), new Set(idsIn(next?.['members']))]
      const joined = [...after].filter((user) => !before.has(user))
      const left = [...before].filter((user) => !after.has(user))
      await deriveGrantedTags(context, [...joined, ...left])
    },
  },
}
