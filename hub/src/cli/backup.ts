import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { isBackupName } from '../operations/backups/backup-folder.ts'
import { SHORTEST_PASSPHRASE } from '../operations/backups/archive/passphrase.ts'
import { alignedTable } from './aligned-table.ts'
import { CommandRefusedError, type Command, type CommandContext } from './command.ts'

export const backupCreate: Command = {
  name: ['backup', 'create'],
  usage: 'backup create [NAME.zip] [--password-stdin]',
  doc: 'Makes a backup, also while the hub runs. With a passphrase it contains the secret key too.',
  keepsSchema: true,
  async run({ backups, words: [name], readPassphrase, say }) {
    if (name !== undefined) checkName(name)
    const passphrase = await readPassphrase()
    if (passphrase !== undefined && passphrase.length < SHORTEST_PASSPHRASE)
      throw new CommandRefusedError(`The passphrase must be at least ${SHORTEST_PASSPHRASE} characters long`)
    say(`Made ${await backups.make({ ...(name === undefined ? {} : { name }), passphrase, by: 'person' })}`)
  },
}

export const backupList: Command = {
  name: ['backup', 'list'],
  usage: 'backup list',
  doc: 'Lists the backups in the data directory.',
  keepsSchema: true,
  async run({ backups, say }) {
    const files = (await backups.folder.list()).toSorted((a, b) => a.modifiedAtMs - b.modifiedAtMs)
    const rows = files.map(({ name, bytes, modifiedAtMs }) => [name, String(bytes), new Date(modifiedAtMs).toISOString()])
    say(rows.length === 0 ? 'There are no backups' : alignedTable(['BACKUP', 'BYTES', 'MADE'], rows))
  },
}

export const backupVerify: Command = {
  name: ['backup', 'verify'],
  usage: 'backup verify NAME.zip|FILE [--password-stdin]',
  doc: 'Reads a whole backup and reports whether this hub could be restored from it.',
  keepsSchema: true,
  beginsData: true,
  async run(context) {
    const { version, madeAtMs, database } = await context.backups.verify(await named(context), await context.readPassphrase())
    context.say(`Whole: made ${new Date(madeAtMs).toISOString()} by version ${version}, of ${database}`)
  },
}

export const backupRestore: Command = {
  name: ['backup', 'restore'],
  usage: 'backup restore NAME.zip|FILE [--password-stdin]',
  doc: 'Checks a backup and prepares the restore: the next start of the hub replaces all data with it.',
  keepsSchema: true,
  beginsData: true,
  async run(context) {
    const name = await named(context)
    await context.backups.prepareRestore(name, await context.readPassphrase())
    context.say(`${name} is whole and lies ready: start the hub, or start it anew, to restore it`)
  },
}

/**
 * Resolves to the file name of the backup that the first argument of a command such as `backup verify` names, such as `monday.zip`. An
 * argument with a slash is a file path: that file is first copied into the backup folder.
 */
async function named({ backups, words: [given] }: CommandContext): Promise<string> {
  if (given === undefined) throw new CommandRefusedError('Name the backup: vedette backup verify NAME.zip, or restore NAME.zip')
  if (!given.includes('/')) return given
  const name = basename(given)
  checkName(name)
  await backups.folder.receive(name, createReadStream(given))
  return name
}

/**
 * Checks the form of a backup's file name, which must be like `monday.zip`. Returns nothing if it is right; otherwise throws a
 * CommandRefusedError that explains the form.
 */
function checkName(name: string): void {
  if (!isBackupName(name))
    throw new CommandRefusedError(`"${name}" is not the name of a backup: use small letters, digits, "-" and "_", such as monday.zip`)
}
