import { ownTrace } from './access-rules.ts'
import { idForm, type Collection, type Rules } from '../model/collection.ts'

const ownDeletable: Rules = { list: ownTrace, view: ownTrace, create: null, update: null, delete: ownTrace }
const ownReadable: Rules = { ...ownDeletable, delete: null }

/** A collection of traces that a sign-in leaves besides its session, for the account `recordRef` of the collection `collectionRef`. */
function traces(
  name: string,
  id: string,
  { rules, more, unique = [] }: Pick<Collection, 'rules'> & { more: Collection['fields']; unique?: Collection['unique'] },
): Collection {
  return {
    name,
    id,
    type: 'base',
    storage: 'table',
    idForm: idForm(15),
    fields: [
      { kind: 'text', name: 'collectionRef', required: true },
      { kind: 'text', name: 'recordRef', required: true },
      ...more,
      { kind: 'created', name: 'created' },
      { kind: 'updated', name: 'updated' },
    ],
    rules,
    unique,
  }
}

/** Accounts at OAuth2 providers through which people sign in. */
export const externalAuths = traces('_externalAuths', 'pbc_2281828961', {
  rules: ownDeletable,
  more: [
    { kind: 'text', name: 'provider', required: true },
    { kind: 'text', name: 'providerId', required: true },
  ],
  unique: [{ fields: ['collectionRef', 'provider', 'providerId'] }, { fields: ['collectionRef', 'recordRef', 'provider'] }],
})

/** Sign-ins that wait for a second factor; `method` is the first one. */
export const mfas = traces('_mfas', 'pbc_2279338944', { rules: ownReadable, more: [{ kind: 'text', name: 'method', required: true }] })

/** One-time codes sent by email. `password` is the hash that verifies the code. */
export const otps = traces('_otps', 'pbc_1638494021', {
  rules: ownReadable,
  more: [
    { kind: 'password', name: 'password', required: true, hidden: true },
    { kind: 'text', name: 'sentTo', hidden: true },
  ],
})

/** Origins of an account's sign-ins. `fingerprint` is a hash of address and browser. */
export const authOrigins = traces('_authOrigins', 'pbc_4275539003', {
  rules: ownDeletable,
  more: [{ kind: 'text', name: 'fingerprint', required: true }],
  unique: [{ fields: ['collectionRef', 'recordRef', 'fingerprint'] }],
})
