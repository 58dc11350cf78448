import { deleteIncidentsOf } from '../../alerts/transitions/alert-transition.ts'
import { ACCESS } from '../../accounts/groups/granted-tags.ts'
import { deleteSignInTraces, deleteProofs } from '../../accounts/sessions/proofs.ts'
import { ownAccount } from './access-rules.ts'
import { idForm, type Collection, type HookContext } from '../model/collection.ts'
import { isOnlyAdmin } from '../model/only-admin.ts'
import { RecordError } from '../model/record-error.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import type { RecordValues } from '../model/record-store.ts'

/**
 * List of the roles of user accounts. `admin`: manages everything; `user`: views and changes the systems shared with it; `readonly`: only
 * views them.
 */
export const roles = ['user', 'admin', 'readonly'] as const
export type Role = (typeof roles)[number]

const DIGITS = 6

/**
 * Definition of the collection `users`: user accounts. A user reads only the own account. The access rules for writing are null, so only
 * admins can write.
 */
export const users: Collection = {
  name: 'users',
  id: '_pb_users_auth_',
  type: 'auth',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'password', name: 'password', required: true, hidden: true },
    { kind: 'secret', name: 'tokenKey', required: true, hidden: true, minLength: 30, maxLength: 60, generate: () => randomId(50) },
    { kind: 'email', name: 'email', required: true },
    { kind: 'flag', name: 'emailVisibility' },
    { kind: 'flag', name: 'verified' },
    { kind: 'text', name: 'username', required: true, minLength: 3, maxLength: 150, pattern: /^\w[\w.-]*$/, generate: newUsername },
    { kind: 'text', name: 'name', maxLength: 255 },
    { kind: 'text', name: 'avatar', maxLength: 255 },
    { kind: 'select', name: 'role', values: roles },
    // Tags of systems that the user may view, and those that the user may change, from `groups` and `tag_access`.
    { kind: 'labels', name: 'viewTags', hidden: true, derived: true },
    { kind: 'labels', name: 'changeTags', hidden: true, derived: true },
    // True for a role that groups by a provider's claim gave, until an admin sets another one.
    { kind: 'flag', name: 'roleByClaim', hidden: true, derived: true },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: ownAccount, view: ownAccount, create: null, update: null, delete: null },
  alone: ACCESS,
  unique: [{ fields: ['email'] }, { fields: ['username'], ignoreCase: true }],
  hooks: {
    prepareCreate: async (values) => ({ ...values, role: values['role'] || 'user' }),
    prepareUpdate: (next, previous) => ({
      ...endOtherSessions(next, previous),
      ...(next['role'] !== previous['role'] && { roleByClaim: false }),
    }),
    refuse: keepAnAdmin,
    followed: async (previous, next, { unit }) => {
      if (previous !== undefined && next !== undefined && previous['tokenKey'] !== next['tokenKey']) await deleteProofs(unit, next.id)
    },
    removed: async (id, unit) => {
      await deleteSignInTraces(unit, id)
      await deleteIncidentsOf(unit, 'owner', id)
    },
  },
}

function newUsername(): string {
  return `users${String(Math.floor(Math.random() * 10 ** DIGITS)).padStart(DIGITS, '0')}`
}

/**
 * Returns the values `next` of an account to store. If email or password differs from `previous`, they get a new random `tokenKey`, which
 * signs session tokens. All sessions of the account then end; a route may start a new one.
 */
function endOtherSessions(next: RecordValues, previous: StoredRecord): RecordValues {
  const same = next['email'] === previous['email'] && next['password'] === previous['password']
  return same ? next : { ...next, tokenKey: randomId(50) }
}

async function keepAnAdmin(previous: StoredRecord, next: RecordValues | undefined, { unit, store }: HookContext): Promise<void> {
  if (next !== undefined && next['role'] === 'admin' && next['verified'] === true) return
  if (!(await isOnlyAdmin(previous, { unit, store }))) return
  if (next === undefined) throw new RecordError(400, "You can't delete the only existing admin.")
  throw new RecordError(400, 'Failed to update record.', {
    role: { code: 'validation_last_admin', message: "The only existing admin can't be demoted." },
  })
}
