import { isBcrypt } from '../../../accounts/passwords/verify-bcrypt.ts'
import { users } from '../../../records/collections/users.ts'
import { castValue } from '../../../records/model/field-value.ts'
import { isAdmin, textOf, type StoredRecord } from '../../../records/model/stored-record.ts'
import type { ForeignHub, TransferChoices } from '../foreign-hub.ts'
import { derivedId, fitRecord, idHere } from './rows/fit-record.ts'
import { type ForeignRow, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, type NewRecord, present, type RowJudgement, type RowRemark } from './rows/row-judgement.ts'
import type { StoredHere } from './stored-here.ts'

/**
 * Plan for the accounts of an imported hub: one decision (imported, present or left out) for each user and superuser. It also lists the
 * accounts that become admins of this hub.
 */
export type AccountsPlan = {
  readonly users: readonly RowJudgement[]
  readonly superusers: readonly RowJudgement[]
  /**
   * Records of accounts that the import creates in this hub as admins, for those chosen superusers of the imported hub who have no account
   * here.
   */
  readonly newAdmins: readonly NewRecord[]
  /** Records of existing accounts of this hub that become admins, because they were chosen superusers of the imported hub. */
  readonly promoted: readonly StoredRecord[]
  /** Map from a user's id in the imported hub to the account's id in this hub. Users that are left out are absent. */
  readonly idOf: ReadonlyMap<string, string>
  /**
   * Ids in this hub of the accounts that the import creates or has created, with password and other sign-in data of the imported hub. Other
   * accounts keep their own.
   */
  readonly own: ReadonlySet<string>
  /** Id in this hub of the admin who gets the imported systems without users. `undefined` if there is no verified admin. */
  readonly firstAdmin: string | undefined
}

/**
 * Thrown when the operator chose an email address that no superuser of the imported hub has. The message is one sentence for the operator.
 */
export class UnknownSuperuserError extends Error {
  override readonly name = 'UnknownSuperuserError'
  constructor(email: string) {
    super(`Cannot make "${email}" an admin: no superuser of the other hub has this address`)
  }
}

/**
 * Text `!`, stored instead of a password hash for an account without a password. No password matches it, so nobody can sign in by password.
 */
const NO_PASSWORD = '!'

/**
 * Decides which accounts of the imported hub become accounts of this hub. Users keep their roles; the preview names the admins, because
 * admins may do more in this hub. Superusers become admins only if the operator chose them.
 */
export function planAccounts({ database }: Pick<ForeignHub, 'database'>, here: StoredHere, { admins }: TransferChoices): AccountsPlan {
  const superusers = [...foreignRows(database, '_superusers')]
  const wanted = wantedAdmins(superusers, admins)
  const chosen = superusers.filter((row) => wanted.has(foreignText(row, 'email').toLowerCase()))
  // Exact addresses from here on: another account may differ in case only.
  const adminEmails = new Set(chosen.map((row) => foreignText(row, 'email')))
  const people = planUsers([...foreignRows(database, 'users')], here, adminEmails)
  const promoted = here.users.filter((user) => adminEmails.has(textOf(user, 'email')) && user['role'] !== 'admin')
  const newAdmins: NewRecord[] = []
  const judged = superusers.map((row): RowJudgement => {
    const email = foreignText(row, 'email')
    if (!adminEmails.has(email)) return leftOut('not chosen as an admin', email)
    const account = here.users.find((user) => user['email'] === email) ?? people.taken.find((user) => user['email'] === email)
    if (account !== undefined && account['role'] === 'admin' && !people.taken.includes(account)) return present
    if (account !== undefined) {
      const changes = [{ reason: 'becomes the admin account of the user with this address', example: email }, ...unverified(account, email)]
      return { decision: 'taken', record: { ...account }, changes }
    }
    const made = newAdmin(row, email, (id) => here.has(users, id) || people.taken.some((user) => user.id === id))
    if ('decision' in made) return made
    newAdmins.push(made.record)
    return { decision: 'taken', record: made.record, changes: made.changes }
  })
  const verified = [...newAdmins, ...people.taken, ...promoted.map((user) => ({ ...user, role: 'admin' })), ...here.users]
  return {
    users: people.judged,
    superusers: judged,
    newAdmins,
    promoted,
    idOf: people.idOf,
    own: new Set([...people.taken.map(({ id }) => id), ...people.before]),
    firstAdmin: verified.find(isAdmin)?.id,
  }
}

/**
 * Returns the email addresses of superusers that the operator chose, in lower case. Throws {@link UnknownSuperuserError} for one that no
 * superuser has.
 */
function wantedAdmins(superusers: readonly ForeignRow[], admins: readonly string[]): ReadonlySet<string> {
  const addresses = new Set(superusers.map((row) => foreignText(row, 'email').toLowerCase()).filter((email) => email !== ''))
  for (const email of admins) if (!addresses.has(email.trim().toLowerCase())) throw new UnknownSuperuserError(email)
  return new Set(admins.map((email) => email.trim().toLowerCase()))
}

const unverified = (account: StoredRecord, email: string): readonly RowRemark[] =>
  account['verified'] === true ? [] : [{ reason: 'is an admin only after the address is verified', example: email }]

type MadeAdmin = { readonly record: NewRecord; readonly changes: readonly RowRemark[] }

function newAdmin(
  row: ForeignRow,
  email: string,
  isUsed: (id: string) => boolean,
): MadeAdmin | Extract<RowJudgement, { decision: 'left out' }> {
  const own = idHere(users, row)
  const id = own === undefined || isUsed(own) ? derivedId(`superuser ${email}`, users.idForm.maxLength) : own
  const password = passwordOf(row)
  const decided = { password: password.hash, role: 'admin', verified: true, username: `admin${id}`, avatar: '' }
  const { values, changes, problem } = fitRecord(users, row, decided)
  if (problem !== undefined) return { decision: 'left out', because: { reason: problem, example: email } }
  const reasons = [...changes, ...password.changes, 'gets an account of its own']
  return { record: { ...values, id }, changes: reasons.map((reason) => ({ reason, example: email })) }
}

function passwordOf(row: ForeignRow): { readonly hash: string; readonly changes: readonly string[] } {
  const hash = foreignText(row, 'password')
  if (isBcrypt(hash)) return { hash, changes: [] }
  return { hash: NO_PASSWORD, changes: ['the password cannot be read: it must be reset'] }
}

type PeoplePlan = {
  readonly judged: readonly RowJudgement[]
  readonly taken: readonly NewRecord[]
  readonly before: readonly string[]
  readonly idOf: ReadonlyMap<string, string>
}

function planUsers(rows: readonly ForeignRow[], here: StoredHere, adminEmails: ReadonlySet<string>): PeoplePlan {
  const idOf = new Map<string, string>()
  const taken: NewRecord[] = []
  const before: string[] = []
  const byEmail = new Map(here.users.map((user) => [textOf(user, 'email'), user.id]))
  const names = new Set(here.users.map((user) => textOf(user, 'username').toLowerCase()))
  const seen = new Set<string>()
  const judged = rows.map((row): RowJudgement => {
    const email = foreignText(row, 'email')
    const id = idHere(users, row)
    if (id === undefined) return leftOut('it has no id', email)
    const foreignId = foreignText(row, 'id')
    if (here.has(users, id)) {
      idOf.set(foreignId, id)
      before.push(id)
      seen.add(email)
      return present
    }
    // Two people with one address must not get each other's systems.
    if (seen.has(email)) return leftOut('another user there has the same address', email)
    const account = byEmail.get(email)
    if (account !== undefined) {
      idOf.set(foreignId, account)
      seen.add(email)
      return { decision: 'present', changes: [{ reason: 'the account with this address here stays as it is', example: email }] }
    }
    const person = personOf(row, id, { isChosen: adminEmails.has(email), names })
    if ('decision' in person) return person
    seen.add(email)
    names.add(textOf(person.record, 'username').toLowerCase())
    idOf.set(foreignId, id)
    taken.push(person.record)
    return { decision: 'taken', ...person }
  })
  return { judged, taken, before, idOf }
}

type PersonFacts = { readonly isChosen: boolean; readonly names: ReadonlySet<string> }

function personOf(
  row: ForeignRow,
  id: string,
  { isChosen, names }: PersonFacts,
): MadeAdmin | Extract<RowJudgement, { decision: 'left out' }> {
  const email = foreignText(row, 'email')
  const { role, change } = roleOf(row, isChosen)
  const password = passwordOf(row)
  const fitted = fitRecord(users, row, {
    password: password.hash,
    role,
    verified: castValue(verifiedField, row['verified'] ?? null),
    avatar: '',
  })
  if (fitted.problem !== undefined) return { decision: 'left out', because: { reason: fitted.problem, example: email === '' ? id : email } }
  const username = freeName(textOf({ ...fitted.values, id }, 'username'), names)
  const reasons = [
    ...fitted.changes,
    ...password.changes,
    ...(change === undefined ? [] : [change]),
    ...(username === fitted.values['username'] ? [] : ['the username is used here already: a number is added']),
    ...(foreignText(row, 'avatar') === '' ? [] : ['the picture is not taken over']),
    ...(id === foreignText(row, 'id') ? [] : ['the id was invalid and is new']),
  ]
  return { record: { ...fitted.values, username, id }, changes: reasons.map((reason) => ({ reason, example: email })) }
}

const verifiedField = { kind: 'flag', name: 'verified' } as const

function roleOf(row: ForeignRow, isChosen: boolean): { readonly role: string; readonly change?: string } {
  const role = foreignText(row, 'role').trim().toLowerCase()
  if (isChosen) return { role: 'admin', ...(role === 'admin' ? {} : { change: 'becomes an admin' }) }
  if (role === 'readonly') return { role }
  // Only the exact text: nothing else made an admin there.
  if (foreignText(row, 'role') === 'admin') return { role, change: 'stays an admin, and manages all systems and accounts here' }
  return { role: 'user', ...(role === 'user' || role === '' ? {} : { change: 'an unknown role becomes "user"' }) }
}

/**
 * Returns the user name `username` for an imported account if no account has it. Otherwise its first 140 characters get the lowest free
 * number from 2 on. `names` are the used ones in lower case.
 */
function freeName(username: string, names: ReadonlySet<string>): string {
  const cut = Array.from(username).slice(0, 140).join('')
  for (let number = 1; ; number++) {
    const name = number === 1 ? username : `${cut}${number}`
    if (!names.has(name.toLowerCase())) return name
  }
}
