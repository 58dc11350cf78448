import { textOf } from '../records/model/stored-record.ts'
import { alignedTable } from './aligned-table.ts'
import type { Command } from './command.ts'

export const systemList: Command = {
  name: ['system', 'list'],
  usage: 'system list',
  doc: 'Lists the systems.',
  async run({ records, say }) {
    const systems = await records.loadWhere('systems', {})
    const rows = systems.map((system) => ['name', 'status', 'host', 'port', 'id'].map((field) => textOf(system, field)))
    say(alignedTable(['Name', 'Status', 'Host', 'Port', 'Id'], rows))
  },
}
