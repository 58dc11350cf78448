import { exportHub } from '../operations/transfer/export/export-hub.ts'
import { systemClock } from '../platform/clock.ts'
import { alignedTable } from './aligned-table.ts'
import { CommandRefusedError, type Command } from './command.ts'

export const exportBeszel: Command = {
  name: ['export', 'beszel'],
  usage: 'export beszel DIR [--password-stdin]',
  doc: 'Writes a data folder for a Beszel hub. Admins without a portable password get the given one.',
  async run({ database, records, secrets, readPrivateKey, words: [folder, ...more], readPassphrase, say }) {
    if (folder === undefined || more.length > 0) throw new CommandRefusedError('Name one new folder: export beszel DIR')
    const newPassword = await readPassphrase()
    const privateKey = await readPrivateKey()
    const lines = await exportHub({ database, records, secrets, clock: systemClock, privateKey, newPassword }, folder)
    say(
      alignedTable(
        ['WHAT', 'FOUND', 'WRITTEN', 'LEFT OUT'],
        lines.map(({ what, found, taken }) => [what, String(found), String(taken), String(found - taken)]),
      ),
    )
    for (const { what, changed, leftOut } of lines)
      for (const { reason, count, examples } of [...changed, ...leftOut])
        say(`${what}: ${count}, ${reason} (${examples.join(', ')}${count > examples.length ? ', …' : ''})`)
    say(
      `Wrote ${privateKey === undefined ? 'data.db' : 'data.db and id_ed25519'} to ${folder}: stop this hub before the other one starts on it`,
    )
  },
}
