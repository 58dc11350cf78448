import { adoptOrphans } from '../accounts/first-run.ts'
import { hashPassword } from '../accounts/passwords/password.ts'
import { deleteProofs, deleteSecondFactors } from '../accounts/sessions/proofs.ts'
import { type Role, roles } from '../records/collections/users.ts'
import { randomId } from '../platform/secrets/random-id.ts'
import { textOf } from '../records/model/stored-record.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { checkPassword } from '../records/writing/new-password.ts'
import { alignedTable } from './aligned-table.ts'
import { type Command, CommandRefusedError } from './command.ts'

export const userCreate: Command = {
  name: ['user', 'create'],
  usage: 'user create EMAIL --role ROLE --password-stdin',
  doc: 'Creates an account.',
  beginsData: true,
  async run({ database, records, words, role, readPassword, say }) {
    const email = emailIn(words)
    if (!isRole(role)) throw new CommandRefusedError(`Give the account a role: --role ${roles.join(', --role ')}`)
    const password = await hashPassword(usablePassword(await readPassword()))
    await database.write(async (unit) => {
      if ((await records.loadWhere('users', { email }, unit)).length > 0)
        throw new CommandRefusedError(`There is already an account of ${email}: set its password with "vedette user password"`)
      const user = await records.insert(unit, 'users', { email, password, role, verified: true })
      const changes = { role: [null, role] as const }
      await noteInAudit(unit, Date.now(), { by: 'command line', action: 'create', target: 'users', id: user.id, name: email, changes })
      if (role === 'admin') await adoptOrphans(unit, records, user.id)
    })
    say(`Created ${email} (${role})`)
  },
}

const isRole = (text: string | undefined): text is Role => roles.some((role) => role === text)

export const userList: Command = {
  name: ['user', 'list'],
  usage: 'user list',
  doc: 'Lists the accounts.',
  async run({ records, say }) {
    const users = await records.loadWhere('users', {})
    say(
      alignedTable(
        ['E-mail', 'Role', 'Created'],
        users.map((user) => [textOf(user, 'email'), textOf(user, 'role'), textOf(user, 'created')]),
      ),
    )
  },
}

const TOKEN_KEY_LENGTH = 50

export const userPassword: Command = {
  name: ['user', 'password'],
  usage: 'user password EMAIL --password-stdin',
  doc: 'Sets a new password and ends all sessions of the account.',
  async run({ database, records, words, readPassword, say }) {
    const email = emailIn(words)
    const password = await hashPassword(usablePassword(await readPassword()))
    await database.write(async (unit) => {
      const [user] = await records.loadWhere('users', { email }, unit)
      if (user === undefined) throw new CommandRefusedError(`There is no account of ${email}: "vedette user list" shows all`)
      await records.update(unit, 'users', user.id, { password, tokenKey: randomId(TOKEN_KEY_LENGTH) })
      await deleteProofs(unit, user.id)
      const changes = { password: ['***', '***'] as const }
      await noteInAudit(unit, Date.now(), { by: 'command line', action: 'update', target: 'users', id: user.id, name: email, changes })
    })
    say(`Set a new password for ${email}; all its sessions have ended`)
  },
}

export const userRemoveSecondFactor: Command = {
  name: ['user', 'remove-second-factor'],
  usage: 'user remove-second-factor EMAIL',
  doc: 'Removes the authenticator app, recovery codes and passkeys of the account, and ends its sessions.',
  async run({ database, records, words, say }) {
    const email = emailIn(words)
    await database.write(async (unit) => {
      const [user] = await records.loadWhere('users', { email }, unit)
      if (user === undefined) throw new CommandRefusedError(`There is no account of ${email}: "vedette user list" shows all`)
      const removed = await deleteSecondFactors(unit, user.id)
      if (removed.length === 0) throw new CommandRefusedError(`The account of ${email} has no second factor`)
      await records.update(unit, 'users', user.id, { tokenKey: randomId(TOKEN_KEY_LENGTH) })
      await deleteProofs(unit, user.id)
      const changes = Object.fromEntries(removed.map((factor) => [factor, ['on', 'off'] as const]))
      await noteInAudit(unit, Date.now(), { by: 'command line', action: 'update', target: 'users', id: user.id, name: email, changes })
    })
    say(`Removed the second factors of ${email}; all its sessions have ended`)
  },
}

function emailIn(words: readonly string[]): string {
  const [email, ...more] = words
  if (email === undefined || more.length > 0 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new CommandRefusedError('Name one e-mail address, such as admin@example.com')
  }
  return email
}

/** Returns a password unchanged if its length is allowed for a user's password. Throws a CommandRefusedError otherwise. */
function usablePassword(password: string): string {
  const wrong = checkPassword(password)
  if (wrong !== undefined)
    throw new CommandRefusedError(`Cannot use the password: ${typeof wrong['message'] === 'string' ? wrong['message'] : 'it is refused'}`)
  return password
}
