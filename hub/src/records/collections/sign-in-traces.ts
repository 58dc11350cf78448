import { ownTrace } from './access-rules.ts'
import { idForm, type Collection, type Rules } from '../model/collection.ts'

const ownDeletable: Rules = { list: ownTrace, view: ownTrace, create: null, update: null, delete: ownTrace }
const ownReadable: Rules = { ...ownDeletable, delete: null }

/**
 * Returns the definition of a collection with records of sign-ins, such as one-time codes. `more` lists the fields besides `collectionRef`
 * and `recordRef`, which refer to the account.
 */
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

/** Collection `_externalAuths`: links between a user and an account at an OAuth2 provider, with which the user signs in. */
export const externalAuths = traces('_externalAuths', 'pbc_2281828961', {
  rules: ownDeletable,
  more: [
    { kind: 'text', name: 'provider', required: true },
    { kind: 'text', name: 'providerId', required: true },
  ],
  unique: [{ fields: ['collectionRef', 'provider', 'providerId'] }, { fields: ['collectionRef', 'recordRef', 'provider'] }],
})

/**
 * Collection `_mfas`: sign-ins that wait for a second factor. `method` is the first factor that was used, or `setup` while an authenticator
 * app must be set up.
 */
export const mfas = traces('_mfas', 'pbc_2279338944', { rules: ownReadable, more: [{ kind: 'text', name: 'method', required: true }] })

/** Collection `_otps`: one-time codes sent by email. `password` is the hash of the code. */
export const otps = traces('_otps', 'pbc_1638494021', {
  rules: ownReadable,
  more: [
    { kind: 'password', name: 'password', required: true, hidden: true },
    { kind: 'text', name: 'sentTo', hidden: true },
  ],
})

/** Collection `_authOrigins`: clients from which an account has signed in. `fingerprint` is a hash of address and browser. */
export const authOrigins = traces('_authOrigins', 'pbc_4275539003', {
  rules: ownDeletable,
  more: [{ kind: 'text', name: 'fingerprint', required: true }],
  unique: [{ fields: ['collectionRef', 'recordRef', 'fingerprint'] }],
})
