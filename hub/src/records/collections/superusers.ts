import { idForm, type Collection } from '../model/collection.ts'

/** The admins, for clients that expect a separate collection. Each record is a verified user with the role `admin`, under the same id. */
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
