import { loadStoredHistory } from '../history/store/stored-history.ts'
import { tiers } from '../history/model/tier.ts'
import { verifyHistory } from '../history/store/verify.ts'
import { alignedTable } from './aligned-table.ts'
import { CommandRefusedError, type Command } from './command.ts'

export const historyVerify: Command = {
  name: ['history', 'verify'],
  usage: 'history verify',
  doc: 'Reads all of the history and reports what is damaged.',
  async run({ database, say }) {
    const stored = await loadStoredHistory(database)
    const found = await verifyHistory(database.kysely, stored, say)
    const rows = tiers.map((tier) => {
      const { blocks, bytes, numbers } = found.tiers[tier]
      return [tier, String(blocks), String(bytes), String(numbers), numbers === 0 ? '' : (bytes / numbers).toFixed(2)]
    })
    say(alignedTable(['Tier', 'Blocks', 'Bytes', 'Numbers', 'Bytes a number'], rows))
    say(`${found.open.samples} samples are in no block yet`)
    if (found.problems > 0) throw new CommandRefusedError(`Cannot rely on all of the history: ${found.problems} problems were found`)
  },
}
