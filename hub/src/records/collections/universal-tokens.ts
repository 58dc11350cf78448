import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `universal_tokens`: at most one permanent token per user, with which any number of agents can register as
 * systems of that user.
 */
export const universalTokens: Collection = {
  name: 'universal_tokens',
  id: 'pbc_3383022248',
  type: 'base',
  storage: 'table',
  idForm: idForm(10),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', required: true, cascade: true },
    { kind: 'secret', name: 'token' },
    { kind: 'created', name: 'created' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  unique: [{ fields: ['user'] }],
}
