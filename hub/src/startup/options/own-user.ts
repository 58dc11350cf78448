import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ownValue } from '@vedette/protocol/own-value'
import { errorCode } from '../../platform/error-code.ts'
import { giveFolder } from '../../platform/process/folder-owner.ts'
import { databaseOptions } from './database-options.ts'
import { flagName, type Environment, type Option } from './options.ts'

const ROOT = 0

/**
 * Changes a process that root started to the user of the option `--run-as`, after making that user the owner of the data folders. Call it
 * before the process reads anything. Returns true if the process may run, also unchanged: without root, `--run-as` or with `--help`.
 * Otherwise prints a sentence to standard error and sets exit status 1.
 */
export function becomeOwnUser(args: readonly string[], environment: Environment): boolean {
  const refusal = changeUser(args, environment)
  if (refusal === undefined) return true
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
  return false
}

/** Changes the user as {@link becomeOwnUser} describes. Returns `undefined` if the process may run, otherwise the reason as a sentence. */
function changeUser(args: readonly string[], environment: Environment): string | undefined {
  if (process.getuid?.() !== ROOT || args.includes('--help')) return undefined
  const user = optionValue('runAs', args, environment)
  if (user === undefined || user === ROOT) return undefined
  for (const folder of foldersOf(args, environment)) {
    const code = failureOf(() => giveFolder(folder, user))
    // A missing folder is reported by the program that needs it.
    if (code !== undefined && code !== 'ENOENT')
      return `Cannot give the folder "${folder}" to user ${user}: ${code}. Give it to that user yourself, with chown -R ${user}:${user}`
  }
  const code = failureOf(() => {
    process.setgroups?.([])
    process.setgid?.(user)
    process.setuid?.(user)
  })
  if (code === undefined) return undefined
  return `Cannot become user ${user}: ${code}. Start as that user, or with the capabilities CHOWN, SETGID and SETUID. VEDETTE_RUN_AS=0 stays root`
}

function foldersOf(args: readonly string[], environment: Environment): readonly string[] {
  const made = (['data', 'enrollFolder'] as const).map((name) => optionValue(name, args, environment)).filter((path) => path !== undefined)
  // Only root can create them below a folder of root. If that fails, the hub reports it.
  for (const path of made) failureOf(() => mkdirSync(path, { recursive: true, mode: 0o700 }))
  const backups = optionValue('backups', args, environment)
  return backups === undefined ? made : [...made, backups]
}

/**
 * Returns the value of one option before all options are parsed: from flags, its first environment variable or its default. `undefined` if
 * all are absent or the value is invalid; other options are ignored.
 */
function optionValue<N extends 'runAs' | 'data' | 'backups' | 'enrollFolder'>(
  name: N,
  args: readonly string[],
  environment: Environment,
): ReturnType<(typeof databaseOptions)[N]['parse']> | undefined {
  const option: Option<unknown> = databaseOptions[name]
  const flag = flagName(name).slice(2)
  const { values } = parseArgs({ args: [...args], options: { [flag]: { type: 'string' } }, strict: false, allowPositionals: true })
  const variable = ownValue(environment, option.environment[0])
  const text = ownValue(values, flag) ?? (variable === '' ? undefined : variable) ?? option.standard
  if (typeof text !== 'string') return undefined
  try {
    // The value has the type of the option with this name, which the compiler cannot see.
    return option.parse(text) as ReturnType<(typeof databaseOptions)[N]['parse']>
  } catch {
    // The parser of all options reports it.
    return undefined
  }
}

/**
 * Calls `action`, such as a change of a folder's owner, and returns `undefined` if it succeeds. If it throws, returns the error's code,
 * such as `EPERM`, or its text if it has no code.
 */
function failureOf(action: () => void): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    return errorCode(error) ?? String(error)
  }
}
