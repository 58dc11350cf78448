import { readFileSync, statSync } from 'node:fs'
import { ownValue } from '@vedette/protocol/own-value'
import { hashPassword } from '../accounts/passwords/password.ts'
import { applyConfig } from '../operations/configuration/apply-config.ts'
import { changeCount, changesText } from '../operations/configuration/config-changes-text.ts'
import { ConfigRefusedError } from '../operations/configuration/config-problem.ts'
import type { SecretSource } from '../operations/configuration/config-secrets.ts'
import { configText, MOST_BYTES } from '../operations/configuration/config-text.ts'
import { exportedConfig, loadConfig } from '../operations/configuration/stored-config.ts'
import { systemClock } from '../platform/clock.ts'
import { collections } from '../records/collections/collections.ts'
import type { Engine } from '../records/engine/engine.ts'
import { recordTableStore } from '../records/engine/record-table-store.ts'
import { CommandRefusedError, type Command, type CommandContext } from './command.ts'

const DRY_RUN = '--dry-run'
const DELETE_MISSING = '--delete-missing'

export const exportConfig: Command = {
  name: ['export', 'config'],
  usage: 'export config',
  doc: 'Prints the configuration of the hub as YAML: settings, ways to sign in, people, groups, access, systems with tags and notes, alerts, preferences and saved views.',
  async run(context) {
    if (context.words.length > 0) throw new CommandRefusedError('The command takes no file: export config > vedette.yml')
    await context.write(configText(exportedConfig(await loadConfig(engineOf(context)))))
  },
}

export const applyConfigFile: Command = {
  name: ['apply', 'config'],
  usage: 'apply config FILE [--dry-run] [--delete-missing]',
  doc: 'Makes the hub equal to a configuration file. One error in the file changes nothing.',
  flags: [DRY_RUN, DELETE_MISSING],
  async run(context) {
    const [path, ...more] = context.words
    if (path === undefined || more.length > 0) throw new CommandRefusedError('Name one configuration file: apply config FILE')
    const [isDryRun, deletesMissing] = [context.flags.has(DRY_RUN), context.flags.has(DELETE_MISSING)]
    const plan = await applyConfig(engineOf(context), readConfigFile(path), { isDryRun, deletesMissing, secrets: secretsOf(context) })
    for (const line of changesText(plan)) context.say(line)
    const number = changeCount(plan)
    if (number === 0) return
    const count = `${number} ${number === 1 ? 'change' : 'changes'}`
    context.say(isDryRun ? `${count}. Nothing was written. Run the command without ${DRY_RUN} to apply them.` : `Applied ${count}.`)
  },
}

function readConfigFile(path: string): string {
  try {
    if (statSync(path).size <= MOST_BYTES) return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigRefusedError(`Cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  throw new ConfigRefusedError(`Cannot read "${path}": it is larger than ${MOST_BYTES / 1e6} MB`)
}

/**
 * Maximum size in bytes (64,000) of a file with one secret, such as a password, that a configuration file names by `{ file: PATH }`. A
 * larger file is not read, and `vedette apply config` reports the secret as missing.
 */
const MOST_SECRET_BYTES = 64_000

const secretsOf = ({ environment }: CommandContext): SecretSource => ({
  variable: (name) => ownValue(environment, name),
  file(path) {
    try {
      return statSync(path).size > MOST_SECRET_BYTES ? undefined : readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch {
      return undefined
    }
  },
})

const engineOf = ({ database, secrets }: CommandContext): Engine => ({
  database,
  collections,
  store: recordTableStore({ database, collections, secrets, clock: systemClock }),
  sources: new Map(),
  secrets,
  clock: systemClock,
  hashPassword,
})
