import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { isRestorePending } from '../operations/backups/pending-restore.ts'
import { openWorkplace } from '../operations/backups/backup-workplace.ts'
import type { TransferPlan } from '../operations/transfer/foreign-hub.ts'
import { freeBytes, noSpace } from '../operations/transfer/source/free-space.ts'
import { missingSamplesMs } from '../operations/transfer/source/old-samples.ts'
import { openForeignHub, type OpenForeignHub } from '../operations/transfer/source/open-foreign-hub.ts'
import { stopRequested } from '../startup/stop-request.ts'
import { CommandRefusedError, type Terminal } from './command.ts'
import { importCosts, importTable } from './import-table.ts'
import { importHelp, parseImport, type ImportCall } from './import/import-options.ts'
import { planImport } from '../operations/transfer/plan-import.ts'
import { importProgress } from './import/import-progress.ts'
import { openImportFolder, openTarget, type ImportFolder } from './import/import-target.ts'
import { isForPeople, refuseOlder } from './refusals.ts'

/**
 * Heap growth after which V8 collects garbage during an import: 60 percent of the memory in use. A low value keeps the import's memory
 * small.
 */
const HEAP_GROWTH_PERCENT = 60

const REFUSED = 1
const MISUSED = 2

/**
 * Runs `vedette import`: imports the data of another hub, or prints in a dry run what it would import. Resolves to the exit status: 0 done,
 * 1 rejected with a message or stopped, 2 wrong usage.
 */
export async function runImport(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.includes('--help')) {
    terminal.say(importHelp(VEDETTE_VERSION))
    return 0
  }
  const call = parseImport(args, terminal.environment)
  if ('problems' in call) {
    for (const problem of call.problems) terminal.complain(problem)
    return MISUSED
  }
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const stopping = new AbortController()
  const stopped = (): void => stopping.abort(new CommandRefusedError('The import was stopped: run it again to continue'))
  void stopRequested(terminal.environment).then(stopped)
  try {
    if (isRestorePending(call.values.data)) throw new CommandRefusedError('A backup is being restored: start the hub, which finishes it')
    using folder = openImportFolder(call.values, call.path, call.isDryRun)
    await runIn(folder, call, terminal, stopping.signal)
    return 0
  } catch (error) {
    if (!isForPeople(error)) throw error
    terminal.complain(error.message)
    return REFUSED
  }
}

async function runIn(folder: ImportFolder, call: ImportCall, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { path, values, isDryRun } = call
  const { directory, workplace } = folder
  await using foreign = await openForeignHub(path, { workplace, settingsKey: values.settingsKey?.reveal() })
  await refuseOld(foreign, call, terminal, signal)
  signal.throwIfAborted()
  await using rehearsal = isDryRun ? await openWorkplace(workplace) : undefined
  const rehearsalFolder = rehearsal === undefined ? undefined : join(rehearsal.path, 'hub')
  if (rehearsalFolder !== undefined) mkdirSync(rehearsalFolder)
  await using target = await openTarget({ values, rehearsalFolder, beforeUpgrade: refuseOlder })
  const choices = { admins: values.admin ?? [] }
  const { plans, hasAdmin } = await planImport({ foreign, target, directory, choices, key: values.key })
  signal.throwIfAborted()
  const free = await freeBytes(directory)
  terminal.say(importTable(plans.flatMap(({ lines }) => lines)))
  terminal.say(`\n${importCosts(plans, free)}`)
  if (!hasAdmin)
    terminal.say(
      'No account will be an admin. Choose superusers with --admin EMAIL, or later: vedette user create EMAIL --role admin --password-stdin',
    )
  if (isDryRun) return terminal.say('Nothing was written. Run the command without --dry-run to import.')
  const needed = plans.reduce((sum, { bytes }) => sum + bytes, 0)
  if (values.database === undefined && needed > free) throw new CommandRefusedError(`Cannot import: ${noSpace('the data', needed, free)}`)
  folder.keepDatabase()
  await writeAll(plans, terminal, signal)
  terminal.say('The import is complete. Stop the other hub, and start this one on its address.')
}

/**
 * If the other hub's files are over 5 min newer than its newest sample, asks the operator to continue, because samples may be missing.
 * Throws without a terminal or after a no. A dry run only prints this; `--accept-old` skips it.
 */
async function refuseOld(
  foreign: OpenForeignHub,
  call: ImportCall,
  { isInteractive, confirm, say }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { newestSampleMs, changedMs } = foreign
  if (call.acceptsOld || newestSampleMs === undefined || missingSamplesMs(foreign) === undefined) return
  const found = `its newest sample is of ${timeText(newestSampleMs)}, but its files changed at ${timeText(changedMs)}`
  if (call.isDryRun) return say(`In "${call.path}" ${found}; newer samples may be missing. The import asks before it takes them.\n`)
  const question = `In "${call.path}" ${found}; newer samples may be missing. Import it?`
  const isAccepted =
    isInteractive &&
    (await confirm(question, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    }))
  if (isAccepted) return
  throw new CommandRefusedError(
    `Cannot import "${call.path}": ${found}; see whether its file data.db-wal is missing, or import it as it is with --accept-old`,
  )
}

/** Returns a time in UTC to the second for the import's output: `2026-11-23T14:37:00Z`. `ms` is epoch ms. */
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

async function writeAll(plans: readonly TransferPlan[], { isInteractive, write }: Terminal, signal: AbortSignal): Promise<void> {
  const totalRows = plans.reduce((sum, { rows }) => sum + rows, 0)
  // A closed output must not fail an import.
  const print = (text: string): void => void write(text).catch(() => {})
  const progress = importProgress({ totalRows, isInteractive, write: print })
  try {
    let before = 0
    for (const plan of plans) {
      signal.throwIfAborted()
      await plan.write((doneRows) => progress.report(before + doneRows), signal)
      before += plan.rows
      progress.report(before)
    }
  } finally {
    progress.end()
  }
}
