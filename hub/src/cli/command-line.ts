import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { didYouMean } from '@vedette/protocol/nearest-names'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { openSharedBackups, ownBackupPlace, type BackupPlace } from '../operations/backups/backup-place.ts'
import { backupsOf } from '../operations/backups/backups.ts'
import { isRestorePending } from '../operations/backups/pending-restore.ts'
import { systemClock } from '../platform/clock.ts'
import { collections } from '../records/collections/collections.ts'
import { addressOf, databaseOptions, databaseServerOf } from '../startup/options/database-options.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { SQLITE_FILE } from '../platform/db/sqlite/sqlite.ts'
import { findHubKey } from '../fleet/ssh/hub-key.ts'
import { silentLog } from '../platform/log.ts'
import { inProcessEventBus } from '../platform/events/event-bus.ts'
import { recordTableStore } from '../records/engine/record-table-store.ts'
import { openSecrets } from '../platform/secrets/open-secrets.ts'
import { announcingDatabase } from '../startup/hubs/command-changes.ts'
import { admitDatabase, joinDatabase } from '../startup/data-directory.ts'
import { describeOptions, parseOptions, type Environment, type Values } from '../startup/options/options.ts'
import { CommandRefusedError, type Command, type CommandContext, type Terminal } from './command.ts'
import { backupCreate, backupList, backupRestore, backupVerify } from './backup.ts'
import { historyExport, historyStats, historyVerify } from './history.ts'
import { applyConfigFile, exportConfig } from './configuration.ts'
import { exportBeszel } from './export-hub.ts'
import { exportOptions } from '../startup/options/export-options.ts'
import { checkHealth } from './health.ts'
import { isForPeople, refuseOlder } from './refusals.ts'
import { systemList } from './system-list.ts'
import { userCreate, userList, userPassword, userRemoveSecondFactor } from './user.ts'

const commands: readonly Command[] = [
  userCreate,
  userList,
  userPassword,
  userRemoveSecondFactor,
  systemList,
  historyVerify,
  historyExport,
  historyStats,
  backupCreate,
  backupList,
  backupVerify,
  backupRestore,
  exportBeszel,
  exportConfig,
  applyConfigFile,
]
const ownFlags = commands.flatMap(({ flags = [] }) => flags)

const options = {
  ...databaseOptions,
  role: {
    environment: ['VEDETTE_ROLE'],
    shape: 'ROLE',
    doc: 'Role of a new account: admin, user or readonly.',
    parse: (text: string) => text,
  },
  ...exportOptions,
} as const

const REFUSED = 1
const commandNames = [...commands.map(({ name }) => name.join(' ')), 'health', 'doctor', 'import']

const MISUSED = 2

/**
 * Runs the command of `vedette` that the program's arguments `args` name. Resolves to the exit status: 0 done, 1 failed with a message, 2
 * wrong usage. Rejects with unexpected errors.
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length === 0 || (args.includes('--help') && !hasOwnHelp(args[0]))) {
    terminal.say(help())
    return args.length === 0 ? MISUSED : 0
  }
  if (args[0] === 'health') return checkHealth(args.slice(1), terminal)
  if (args[0] === 'doctor') return (await import('./doctor/doctor.ts')).runDoctor(args.slice(1), terminal)
  if (args[0] === 'import') return (await import('./import.ts')).runImport(args.slice(1), terminal)
  const call = understand(args, terminal.environment)
  if ('problems' in call) {
    for (const problem of call.problems) terminal.complain(problem)
    return MISUSED
  }
  const { command, words, flags, values, passwordFromInput } = call
  const readPassword = async (): Promise<string> => {
    if (!passwordFromInput) throw new CommandRefusedError('Give the password on standard input, with --password-stdin')
    return (await terminal.readInput()).replace(/\r?\n$/, '')
  }
  const readPassphrase = async () => (passwordFromInput ? readPassword() : undefined)
  try {
    const { say, write, complain, environment } = terminal
    const { role, from, to, tier, kind, format } = values
    const exporting = { from, to, tier, kind, format }
    await withHub(call, (hub) =>
      command.run({ ...hub, environment, words, flags, role, readPassword, readPassphrase, exporting, say, write, complain }),
    )
    return 0
  } catch (error) {
    if (!isForPeople(error)) throw error
    terminal.complain(error.message)
    return REFUSED
  }
}

const hasOwnHelp = (command: string | undefined): boolean => command === 'doctor' || command === 'import'

type Call = {
  readonly command: Command
  /**
   * List of the command's arguments that are not options, in their order. For `vedette backup verify monday.zip` it is `['monday.zip']`.
   */
  readonly words: readonly string[]
  /**
   * Set of the names of this command's own options without a value that the operator gave, such as `--dry-run`. The command tests one with
   * `flags.has('--dry-run')`.
   */
  readonly flags: ReadonlySet<string>
  readonly values: Values<typeof options>
  readonly passwordFromInput: boolean
}

function understand(args: readonly string[], environment: Environment): Call | { readonly problems: readonly string[] } {
  const passwordFlag = '--password-stdin'
  const given = args.filter((argument) => argument === passwordFlag || ownFlags.includes(argument))
  const flagless = args.filter((argument) => !given.includes(argument))
  const parsed = parseOptions(options, flagless, environment)
  if (!parsed.ok) return parsed
  const { values, rest } = parsed
  const command = commands.find(({ name }) => name.every((word, index) => rest[index] === word))
  if (command === undefined)
    return {
      problems: [
        `${rest.join(' ')}: there is no such command${didYouMean(rest.slice(0, 2).join(' '), commandNames) || '; --help lists all'}`,
      ],
    }
  const flags = new Set(given.filter((flag) => flag !== passwordFlag))
  const foreign = [...flags].filter((flag) => command.flags?.includes(flag) !== true)
  if (foreign.length > 0) return { problems: foreign.map((flag) => `${flag}: "${command.name.join(' ')}" has no such option`) }
  return { command, words: rest.slice(command.name.length), flags, values, passwordFromInput: given.includes(passwordFlag) }
}

/**
 * Opens the database, records and backups of the data directory, calls `work` with them and closes them when it ends. A hub may run
 * meanwhile. Throws without a database, for one of another data directory, while a restore is pending, and for old tables that the command
 * does not accept.
 */
async function withHub(
  { values, command }: Call,
  work: (hub: Pick<CommandContext, 'database' | 'records' | 'backups' | 'secrets' | 'readPrivateKey'>) => Promise<void>,
): Promise<void> {
  if (isRestorePending(values.data)) throw new CommandRefusedError('A backup is being restored: start the hub, which finishes it')
  const server = databaseServerOf(values)
  const at = server === undefined ? { directory: values.data } : addressOf(server)
  const admit = admitDatabase(values.data)
  const { keepsSchema, beginsData = false } = command
  if (server === undefined && !beginsData && !existsSync(join(values.data, SQLITE_FILE)))
    throw new CommandRefusedError(`There is no data of a hub in "${values.data}": give its folder with --data, or with VEDETTE_DATA`)
  const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog, admit, keepsSchema, beforeUpgrade: refuseOlder })
  try {
    const instance = await joinDatabase(values.data, database)
    const place = await backupPlaceOf(values, instance, command)
    const secrets = await openSecrets({ directory: values.data, configured: values.secretKey?.reveal(), database })
    await using backups = backupsOf({
      directory: values.data,
      place,
      hub: undefined,
      databaseUrl: values.database?.reveal(),
      database,
      secrets,
      isKeyConfigured: values.secretKey !== undefined,
      clock: systemClock,
      log: silentLog,
    })
    const readPrivateKey = async () => (await findHubKey({ directory: values.data, database, secrets }))?.privatePem
    const announcing = announcingDatabase(database, secrets)
    await work({
      database: announcing,
      records: recordTableStore({ database: announcing, collections, secrets, clock: systemClock }),
      secrets,
      readPrivateKey,
      backups,
    })
  } finally {
    await database.close()
  }
}

/**
 * Opens the folder of backups and resolves to its `BackupPlace`. Commands `backup …` use the shared folder of the option `--backups`.
 * Others use the one in the data directory, so that they need no shared folder.
 */
async function backupPlaceOf({ data, backups }: Call['values'], instance: string, { name: [word] }: Command): Promise<BackupPlace> {
  if (backups === undefined || word !== 'backup') return ownBackupPlace(data)
  return openSharedBackups({ folder: backups, directory: data, instance })
}

function help(): string {
  const listed = [
    ...commands,
    { usage: 'health', doc: 'Prints ok and ends with status 0 while the hub responds, else with 1. Options: --listen and those of HTTPS.' },
    { usage: 'import PATH', doc: 'Takes over the data of a Beszel hub: its folder or a backup zip. "import --help" lists its options.' },
    { usage: 'doctor', doc: 'Checks this machine, the data folder and the servers of a hub. It takes the options of the hub.' },
  ]
  const width = Math.max(...listed.map(({ usage }) => usage.length))
  const lines = listed.map(({ usage, doc }) => `  vedette ${usage.padEnd(width)}  ${doc}`)
  return [`vedette ${VEDETTE_VERSION}: a hub from the command line, also while it runs`, '', ...lines, '', describeOptions(options)].join(
    '\n',
  )
}
