import { textOf } from '../records/model/stored-record.ts'
import type { Command } from './command.ts'
import { alignedTable } from './aligned-table.ts'

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
