import { field, idField, type ForeignCollection, type ForeignField } from './foreign-field.ts'

/** Id of the collection `users` in the database of every Beszel hub. Relations to users in an exported database contain it. */
export const USERS = '_pb_users_auth_'

/**
 * Definition of the field `id` for most collections in the database that an export writes. Ids are 15 lower-case letters and digits, which
 * the importing Beszel hub makes for new records.
 */
export const systemId = idField('[a-z0-9]{15}', [15, 15])

/**
 * Definitions of the fields `created` and `updated` for collections in the database that an export writes. They make the Beszel hub that
 * opens the database set both by itself when it writes records.
 */
export const dates = [field('autodate', 'created'), field('autodate', 'updated', { onUpdate: true })] as const
const ofSystem = { system: true } as const
const systemDates = [field('autodate', 'created', ofSystem), field('autodate', 'updated', { onUpdate: true, ...ofSystem })] as const
const needed = (name: string): ForeignField => field('text', name, { required: true, system: true })

const ownTrace = "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"
type Traces = { readonly own: readonly ForeignField[]; readonly indexes: readonly string[] }

const traces = (name: string, id: string, isDeletable: boolean, { own, indexes }: Traces): ForeignCollection => ({
  id,
  name,
  type: 'base',
  system: true,
  rules: [ownTrace, ownTrace, null, null, isDeletable ? ownTrace : null],
  fields: [systemId, needed('collectionRef'), needed('recordRef'), ...own, ...systemDates],
  indexes,
})

const account = (cost: number, keyPattern: string): readonly ForeignField[] => [
  systemId,
  field('password', 'password', { cost, hidden: true, required: true, system: true }),
  field('text', 'tokenKey', { autogeneratePattern: keyPattern, hidden: true, max: 60, min: 30, required: true, system: true }),
  field('email', 'email', { required: true, system: true }),
  field('bool', 'emailVisibility', ofSystem),
  field('bool', 'verified', ofSystem),
]

/** Image types that a Beszel hub accepts for a user's avatar, such as `image/png`. */
const pictures = ['image/jpeg', 'image/png', 'image/svg+xml', 'image/gif', 'image/webp'] as const

/**
 * List of the definitions of those collections in the exported database that hold accounts, unfinished sign-ins, one-time codes and the
 * like.
 */
export const accountCollections: readonly ForeignCollection[] = [
  traces('_mfas', 'pbc_2279338944', false, {
    own: [needed('method')],
    indexes: ['CREATE INDEX `idx_mfas_collectionRef_recordRef` ON `_mfas` (collectionRef,recordRef)'],
  }),
  traces('_otps', 'pbc_1638494021', false, {
    own: [
      field('password', 'password', { cost: 8, min: 0, hidden: true, required: true, system: true }),
      field('text', 'sentTo', { hidden: true, system: true }),
    ],
    indexes: ['CREATE INDEX `idx_otps_collectionRef_recordRef` ON `_otps` (collectionRef, recordRef)'],
  }),
  traces('_externalAuths', 'pbc_2281828961', true, {
    own: [needed('provider'), needed('providerId')],
    indexes: [
      'CREATE UNIQUE INDEX `idx_externalAuths_record_provider` ON `_externalAuths` (collectionRef, recordRef, provider)',
      'CREATE UNIQUE INDEX `idx_externalAuths_collection_provider` ON `_externalAuths` (collectionRef, provider, providerId)',
    ],
  }),
  traces('_authOrigins', 'pbc_4275539003', true, {
    own: [needed('fingerprint')],
    indexes: ['CREATE UNIQUE INDEX `idx_authOrigins_unique_pairs` ON `_authOrigins` (collectionRef, recordRef, fingerprint)'],
  }),
  {
    id: 'pbc_3142635823',
    name: '_superusers',
    type: 'auth',
    system: true,
    rules: [null, null, null, null, null],
    fields: [...account(0, '[a-zA-Z0-9]{50}'), ...systemDates],
    indexes: [
      'CREATE UNIQUE INDEX `idx_tokenKey_pbc_3142635823` ON `_superusers` (`tokenKey`)',
      "CREATE UNIQUE INDEX `idx_email_pbc_3142635823` ON `_superusers` (`email`) WHERE `email` != ''",
    ],
  },
  {
    id: USERS,
    name: 'users',
    type: 'auth',
    system: false,
    rules: ['id = @request.auth.id', 'id = @request.auth.id', null, null, null],
    fields: [
      ...account(10, '[a-zA-Z0-9_]{50}'),
      field('text', 'username', { autogeneratePattern: 'users[0-9]{6}', max: 150, min: 3, pattern: String.raw`^[\w][\w\.\-]*$` }),
      field('select', 'role', { values: ['user', 'admin', 'readonly'], id: 'qkbp58ae' }),
      ...dates,
      field('text', 'name', { max: 255 }),
      field('file', 'avatar', { mimeTypes: pictures }),
    ],
    indexes: [
      'CREATE UNIQUE INDEX `__pb_users_auth__username_idx` ON `users` (username COLLATE NOCASE)',
      "CREATE UNIQUE INDEX `__pb_users_auth__email_idx` ON `users` (`email`) WHERE `email` != ''",
      'CREATE UNIQUE INDEX `__pb_users_auth__tokenKey_idx` ON `users` (`tokenKey`)',
    ],
  },
]
