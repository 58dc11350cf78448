import { hashPassword } from '../accounts/passwords/password.ts'
import { deleteProofs } from '../accounts/sessions/proofs.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { randomId } from '../records/model/stored-record.ts'
import { emailIn, usablePassword } from './account-input.ts'
import { CommandRefusedError, type Command } from './command.ts'

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
      if (user === undefined) throw new CommandRefusedError(`There is no account of ${email}`)
      await records.update(unit, 'users', user.id, { password, tokenKey: randomId(TOKEN_KEY_LENGTH) })
      await deleteProofs(unit, user.id)
      const changes = { password: ['***', '***'] as const }
      await noteInAudit(unit, Date.now(), { by: 'command line', action: 'update', target: 'users', id: user.id, name: email, changes })
    })
    say(`Set a new password for ${email}; all its sessions have ended`)
  },
}
