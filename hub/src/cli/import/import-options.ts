import type { KeyChoice } from '../../operations/transfer/source/plan-key.ts'
import { databaseOptions } from '../../startup/options/database-options.ts'
import { describeOptions, parseOptions, Secret, type Environment, type Values } from '../../startup/options/options.ts'

/** Map of the command-line options of `vedette import`: for each its environment variable, help text and parser. */
const importOptions = {
  admin: {
    environment: ['VEDETTE_IMPORT_ADMIN'],
    shape: 'EMAIL',
    doc: 'Superuser of the other hub who becomes an admin here. Repeat it, or separate addresses by commas. The others are left out.',
    parse: parseEmails,
  },
  key: {
    environment: ['VEDETTE_IMPORT_KEY'],
    shape: 'KEY',
    doc: 'SSH key of this hub after the import: theirs or ours. Needed when agents know each of them.',
    parse: parseKeyChoice,
  },
  settingsKey: {
    environment: ['VEDETTE_IMPORT_SETTINGS_KEY'],
    shape: 'TEXT',
    doc: 'Key of encrypted settings: the text that the other hub has for its option --encryptionEnv.',
    parse: (text: string) => new Secret(text),
  },
  ...databaseOptions,
} as const

export type ImportValues = Values<typeof importOptions>

/**
 * Parsed arguments of `vedette import`. `path`: data directory, database file or backup zip of the other hub. `acceptsOld`: the option
 * `--accept-old`, which skips the question about missing samples. `values`: the other options.
 */
export type ImportCall = {
  readonly path: string
  readonly isDryRun: boolean
  readonly acceptsOld: boolean
  readonly values: ImportValues
}

type WrongCall = { readonly ok: false; readonly problems: readonly string[] }

const DRY_RUN = '--dry-run'
const ACCEPT_OLD = '--accept-old'

/** Parses the arguments after `vedette import`. Returns the parsed call, or all problems of a wrong call as sentences. */
export function parseImport(args: readonly string[], environment: Environment): ImportCall | WrongCall {
  const flagless = args.filter((argument) => argument !== DRY_RUN && argument !== ACCEPT_OLD)
  const parsed = parseOptions(importOptions, joinedAdmins(flagless), environment)
  if (!parsed.ok) return parsed
  const [path, ...more] = parsed.rest
  if (path === undefined || more.length > 0)
    return { ok: false, problems: ['Name the data folder of the other hub, or one backup: vedette import PATH'] }
  return { path, isDryRun: args.includes(DRY_RUN), acceptsOld: args.includes(ACCEPT_OLD), values: parsed.values }
}

/**
 * Returns the arguments of `vedette import` with all `--admin A --admin B` joined to one `--admin A,B`, because the option parser takes one
 * value for each option.
 */
function joinedAdmins(args: readonly string[]): readonly string[] {
  const others: string[] = []
  const emails: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? ''
    if (argument.startsWith('--admin=')) emails.push(argument.slice('--admin='.length))
    else if (argument === '--admin' && args[at + 1]?.startsWith('--') === false) emails.push(args[(at += 1)] ?? '')
    else others.push(argument)
  }
  return emails.length === 0 ? others : [...others, `--admin=${emails.join(',')}`]
}

function parseEmails(text: string): readonly string[] {
  const emails = text.split(',').map((one) => one.trim())
  if (emails.every((one) => /^[^\s@]+@[^\s@]+$/.test(one))) return emails
  throw new RangeError('expected email addresses such as admin@example.com, separated by commas')
}

function parseKeyChoice(text: string): KeyChoice {
  if (text === 'theirs' || text === 'ours') return text
  throw new RangeError('expected theirs or ours')
}

/** Returns the help text of the command `vedette import`; `version` is the program's version. */
export function importHelp(version: string): string {
  return [
    `vedette import ${version}: takes over the data of a Beszel hub, version 0.9 to 0.18.8. That hub may run, and none of its files changes.`,
    '',
    '  vedette import PATH [--dry-run] [--admin EMAIL]… [--key theirs|ours] [--accept-old]',
    '',
    'PATH is the data folder of the other hub, its file data.db, or one of its backup zips. The hub of this data folder must be stopped.',
    '',
    `  ${DRY_RUN}     Reads everything, and prints what an import would take. Writes nothing.`,
    `  ${ACCEPT_OLD}  Imports also when the newest sample is more than 5 min older than the files.`,
    '',
    describeOptions(importOptions),
  ].join('\n')
}
