import { hashPassword } from '../accounts/passwords/password.ts'
import { adoptOrphans } from '../accounts/orphans.ts'
import { roles, type Role } from '../records/collections/users.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { emailIn, usablePassword } from './account-input.ts'
import { CommandRefusedError, type Command } from './command.ts'

export const userCreate: Command = {
  name: ['user', 'create'],
  usage: 'user create EMAIL --role ROLE --password-stdin',
  doc: 'Creates an account.',
  async run({ database, records, words, role, readPassword, say }) {
    const email = emailIn(words)
    if (!isRole(role)) throw new CommandRefusedError(`Give the account a role: --role ${roles.join(', --role ')}`)
    const password = await hashPassword(usablePassword(await readPassword()))
    await database.write(async (unit) => {
      if ((await records.loadWhere('users', { email }, unit)).length > 0)
        throw new CommandRefusedError(`There is an account of ${email} already`)
      const user = await records.insert(unit, 'users', { email, password, role, verified: true })
      const changes = { role: [null, role] as const }
      await noteInAudit(unit, Date.now(), { by: 'command line', action: 'create', target: 'users', id: user.id, name: email, changes })
      if (role === 'admin') await adoptOrphans(unit, records, user.id)
    })
    say(`Created ${email} (${role})`)
  },
}

const isRole = (text: string | undefined): text is Role => roles.some((role) => role === text)
