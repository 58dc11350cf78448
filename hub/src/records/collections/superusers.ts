import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `_superusers`, for clients that expect admins in a separate collection. It is a view of the verified users
 * with the role `admin`, with the same ids.
 */
export const superusers: Collection = {
  name: '_superusers',
  id: 'pbc_3142635823',
  type: 'auth',
  storage: 'view',
  viewOf: { collection: 'users', values: { role: 'admin', verified: true } },
  idForm: idForm(15),
  fields: [
    { kind: 'password', name: 'password', required: true, hidden: true },
    { kind: 'email', name: 'email', required: true },
    { kind: 'flag', name: 'emailVisibility' },
    { kind: 'flag', name: 'verified' },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  unique: [{ fields: ['email'] }],
}
