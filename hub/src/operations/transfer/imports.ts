import { createWriteStream, existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../platform/error-code.ts'
import type { Log } from '../../platform/log.ts'
import { openWorkplace, type Workplace } from '../backups/backup-workplace.ts'
import type { TransferChoices, TransferLine } from './foreign-hub.ts'
import type { OwnTarget } from './own-target.ts'
import { planImport } from './plan-import.ts'
import { UnknownSuperuserError } from './records/accounts.ts'
import { secondsFor } from './import-costs.ts'
import { openForeignHub, type OpenForeignHub } from './source/open-foreign-hub.ts'
import { missingSamplesMs } from './source/old-samples.ts'
import { KeyChoiceNeededError, type KeyChoice } from './source/plan-key.ts'
import { TransferRefusedError } from './source/transfer-refused-error.ts'

/**
 * Preview of an import, which the admin must confirm. It has the lines of the table, the growth of the database in bytes, and the estimated
 * duration in seconds. Further fields are choices that the admin must make.
 */
export type Rehearsal = {
  readonly lines: readonly TransferLine[]
  readonly bytes: number
  readonly seconds: number
  /**
   * Email addresses of the superusers of the hub whose backup was uploaded, at most the first 100. The admin who imports it chooses those
   * who become admins of this hub.
   */
  readonly superusers: readonly string[]
  /**
   * True when the admin must choose which of the two hubs' SSH keys this hub uses afterwards. The keys differ, and this hub has systems
   * whose agents may know its key.
   */
  readonly asksKey: boolean
  /**
   * Minutes by which the newest uploaded sample is older than the last change of the database file. Null unless they are over 5 min; then
   * the newest samples are probably missing, such as those in a WAL.
   */
  readonly lateMinutes: number | null
}

export type ImportState =
  | { readonly state: 'none' | 'reading' | 'done' }
  | { readonly state: 'failed'; readonly reason: string }
  | ({ readonly state: 'ready' } & Rehearsal)
  | { readonly state: 'importing'; readonly done: number; readonly total: number }

/**
 * Thrown when a request does not fit the state of the import, such as its start when no uploaded backup is ready. The message is one
 * sentence for the admin.
 */
export class ImportStateError extends Error {
  override readonly name = 'ImportStateError'
}

/**
 * Service that imports another hub's backup while this hub runs: `receive` the backup, then `run` or `discard` the import. Only one import
 * runs at a time. Disposing it stops the import and removes its files.
 */
export type Imports = AsyncDisposable & {
  readonly state: () => ImportState
  /**
   * Stores an uploaded backup of another hub and begins to read it in the background. Rejects with {@link ImportStateError} while an upload
   * is read or an import runs, and with a `TransferRefusedError` when the disk is full.
   */
  readonly receive: (content: Readable) => Promise<void>
  /**
   * Begins the previewed import in the background. Throws {@link ImportStateError} when no uploaded backup is ready, or without `key` when
   * the admin must choose one. `onDone` is called when all data is stored.
   */
  readonly run: (choices: TransferChoices, key: KeyChoice | undefined, onDone: () => void) => void
  /** Deletes the uploaded backup. Throws {@link ImportStateError} while it is read or imported. */
  readonly discard: () => Promise<void>
}

type ImportParts = { readonly directory: string; readonly openTarget: () => Promise<OwnTarget>; readonly log: Log }
type Held = { readonly workplace: Workplace; readonly foreign?: OpenForeignHub }

/** Creates the service that imports a backup of another hub. It keeps its copies in the folder `import` of the data directory. */
export function importsOf({ directory, openTarget, log }: ImportParts): Imports {
  const workplaces = join(directory, 'import')
  // The hub restarts after an import. The file keeps the result until the admin has seen it.
  const doneFile = join(workplaces, 'done')
  const ending = new AbortController()
  let state: ImportState = { state: existsSync(doneFile) ? 'done' : 'none' }
  let held: Held | undefined
  let work: Promise<void> = Promise.resolve()

  async function release(): Promise<void> {
    const { foreign, workplace } = held ?? {}
    held = undefined
    await foreign?.[Symbol.asyncDispose]()
    await workplace?.[Symbol.asyncDispose]()
  }

  async function forget(): Promise<void> {
    await release()
    await rm(doneFile, { force: true })
  }

  /**
   * Runs `step`, a part of an import, in the background and returns at once. The result of `step` becomes the import's state. If it
   * rejects, the import's files are deleted, and the state becomes `failed` with a sentence for the admin.
   */
  function inBackground(step: () => Promise<ImportState>): void {
    work = step()
      .then((next) => void (state = next))
      .catch(async (error: unknown) => {
        await release().catch((cause: unknown) => log.error('files of an import not removed', { error: cause }))
        if (ending.signal.aborted) return
        const isForPeople = error instanceof TransferRefusedError || error instanceof UnknownSuperuserError
        if (!isForPeople) log.error('import failed', { error })
        state = { state: 'failed', reason: isForPeople ? error.message : 'The import failed: the log of the hub says why' }
      })
  }

  async function read(zip: string): Promise<ImportState> {
    const workplace = held?.workplace
    const foreign = await openForeignHub(zip, { workplace: workplaces })
    if (workplace === undefined || ending.signal.aborted) {
      await foreign[Symbol.asyncDispose]()
      return { state: 'none' }
    }
    held = { workplace, foreign }
    return { state: 'ready', ...(await rehearse(foreign)) }
  }

  async function rehearse(foreign: OpenForeignHub): Promise<Rehearsal> {
    await using target = await openTarget()
    const parts = { foreign, target, directory, choices: { admins: [] } }
    const { plans, asksKey } = await planImport({ ...parts, key: undefined }).then(
      ({ plans: found }) => ({ plans: found, asksKey: false }),
      async (error: unknown) => {
        if (!(error instanceof KeyChoiceNeededError)) throw error
        return { plans: (await planImport({ ...parts, key: 'ours' })).plans, asksKey: true }
      },
    )
    const lateMs = missingSamplesMs(foreign)
    const superusers = foreign.database.prepare("select email from _superusers where typeof(email) = 'text' order by email limit 100").all()
    return {
      lines: plans.flatMap(({ lines }) => lines),
      bytes: plans.reduce((sum, { bytes }) => sum + bytes, 0),
      seconds: secondsFor(plans),
      superusers: superusers.map(({ email }) => String(email)),
      asksKey,
      lateMinutes: lateMs === undefined ? null : Math.round(lateMs / 60_000),
    }
  }

  async function write(foreign: OpenForeignHub, choices: TransferChoices, key: KeyChoice | undefined): Promise<ImportState> {
    await using target = await openTarget()
    const { plans } = await planImport({ foreign, target, directory, choices, key })
    const total = plans.reduce((sum, { rows }) => sum + rows, 0)
    let before = 0
    for (const plan of plans) {
      ending.signal.throwIfAborted()
      await plan.write((done) => (state = { state: 'importing', done: before + done, total }), ending.signal)
      before += plan.rows
    }
    await release()
    await writeFile(doneFile, '')
    return { state: 'done' }
  }

  return {
    state: () => state,
    async receive(content) {
      refuseWhile(state, ['reading', 'importing'])
      state = { state: 'reading' }
      try {
        await forget()
        const workplace = await openWorkplace(workplaces)
        held = { workplace }
        const zip = join(workplace.path, 'backup.zip')
        await pipeline(content, createWriteStream(zip, { mode: 0o600 }))
        inBackground(() => read(zip))
      } catch (error) {
        await release()
        state = { state: 'none' }
        if (errorCode(error) !== 'ENOSPC' && errorCode(error) !== 'EDQUOT') throw error
        throw new TransferRefusedError('Cannot import the backup: the disk of the data folder is full; free space there', { cause: error })
      }
    },
    run(choices, key, onDone) {
      const foreign = held?.foreign
      if (state.state !== 'ready' || foreign === undefined) throw new ImportStateError('There is no import to confirm: choose a backup')
      if (state.asksKey && key === undefined) throw new ImportStateError('Choose one of the SSH keys')
      state = { state: 'importing', done: 0, total: 0 }
      inBackground(async () => {
        const next = await write(foreign, choices, key)
        onDone()
        return next
      })
    },
    async discard() {
      refuseWhile(state, ['reading', 'importing'])
      state = { state: 'none' }
      await forget()
    },
    async [Symbol.asyncDispose]() {
      ending.abort(new Error('The hub is stopping'))
      await work
      await release()
    },
  }
}

function refuseWhile({ state }: ImportState, busy: readonly ImportState['state'][]): void {
  if (busy.includes(state)) throw new ImportStateError('Another import is in progress: wait until it is done')
}
