import type { Collection, Rules } from '../records/collection.ts'
import { idForm } from '../records/record-id.ts'

const own = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
const ownDeletable: Rules = { list: own, view: own, create: null, update: null, delete: own }
const ownReadable: Rules = { ...ownDeletable, delete: null }

/** What clients ask of a sign-in beside the password. This hub signs nobody in by provider or mailed code, so there are no records. */
function traces(name: string, id: string, rules: Rules, more: Collection['fields']): Collection {
  return {
    name,
    id,
    type: 'base',
    storage: 'none',
    idForm: idForm(15),
    fields: [
      { kind: 'text', name: 'collectionRef' },
      { kind: 'text', name: 'recordRef' },
      ...more,
      { kind: 'created', name: 'created' },
      { kind: 'updated', name: 'updated' },
    ],
    rules,
    unique: [],
  }
}

/** Accounts at providers that sign somebody in. */
export const externalAuths = traces('_externalAuths', 'pbc_2281828961', ownDeletable, [
  { kind: 'text', name: 'provider' },
  { kind: 'text', name: 'providerId' },
])

/** Sign-ins that wait for a second proof. */
export const mfas = traces('_mfas', 'pbc_2279338944', ownReadable, [{ kind: 'text', name: 'method' }])

/** Codes sent by mail. */
export const otps = traces('_otps', 'pbc_1638494021', ownReadable, [{ kind: 'text', name: 'sentTo', hidden: true }])

/** Devices somebody signed in from. */
export const authOrigins = traces('_authOrigins', 'pbc_4275539003', ownDeletable, [{ kind: 'text', name: 'fingerprint' }])
