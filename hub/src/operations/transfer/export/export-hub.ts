import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { inProcessEventBus } from '../../../platform/events/event-bus.ts'
import { silentLog } from '../../../platform/log.ts'
import type { SecretBox } from '../../../platform/secrets/secret-box.ts'
import { loadProviders } from '../../../accounts/providers/providers.ts'
import { loadSignIn } from '../../../accounts/sessions/sign-in-settings.ts'
import { historyStore } from '../../../history/history-store.ts'
import type { RecordStore } from '../../../records/model/record-store.ts'
import { settingsOf } from '../../../settings/settings.ts'
import type { TransferLine } from '../foreign-hub.ts'
import { exportHistory } from './exported-history.ts'
import { exportRecords } from './exported-records.ts'
import { createForeignFile, type ForeignFile } from './foreign-file.ts'
import { authOptions, isPortableProvider, noOauth2, oauth2Options, settingsParam } from './foreign-options.ts'

/** Thrown when this hub's data cannot be exported into a folder. The message is one sentence for the operator. */
export class ExportRefusedError extends Error {
  override readonly name = 'ExportRefusedError'
}

export type ExportParts = {
  readonly database: Database
  readonly records: RecordStore
  readonly secrets: SecretBox
  readonly clock: Clock
  /** Private SSH key of this hub as text (OpenSSH PEM), by which agents recognise the hub. `undefined` if the hub never ran. */
  readonly privateKey: string | undefined
  /**
   * Password for exported admins whose password hash the other hub cannot check. `undefined`: they must choose a new password there by
   * email.
   */
  readonly newPassword: string | undefined
}

const FILE = 'data.db'
const UNFINISHED = `${FILE}.unfinished`
const SESSION_SECONDS = 432_000
const ADMIN_SESSION_SECONDS = 86_400

/**
 * Exports the data of this hub into a new or empty folder: `data.db` in the format of a Beszel hub, and the SSH key, if any. Resolves to
 * counts by kind of data. Throws {@link ExportRefusedError}, and changes nothing, if the folder is not empty.
 */
export async function exportHub(parts: ExportParts, folder: string): Promise<readonly TransferLine[]> {
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== UNFINISHED))
    throw new ExportRefusedError(`Cannot export into "${folder}": it is not empty; name a new folder`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, UNFINISHED)
  // An earlier export that was stopped has left it.
  rmSync(path, { force: true })
  try {
    const lines = await writeFile(parts, path)
    chmodSync(path, 0o600)
    if (parts.privateKey !== undefined) writeFileSync(join(folder, 'id_ed25519'), parts.privateKey, { mode: 0o600 })
    renameSync(path, join(folder, FILE))
    return lines
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

async function writeFile(parts: ExportParts, path: string): Promise<readonly TransferLine[]> {
  const { database, records, secrets, clock, newPassword } = parts
  const providers = await loadProviders(database.kysely, secrets)
  const ways = await loadSignIn(database.kysely)
  const options = {
    users: authOptions({ ways: ways.users, sessionSeconds: SESSION_SECONDS, authRule: 'verified=true', oauth2: oauth2Options(providers) }),
    _superusers: authOptions({ ways: ways._superusers, sessionSeconds: ADMIN_SESSION_SECONDS, authRule: '', oauth2: noOauth2 }),
  }
  const settings = settingsParam(await settingsOf(database, secrets).load())
  using file: ForeignFile = createForeignFile(path, { options, settings, nowMs: clock.now() })
  const lines: TransferLine[] = []
  await file.together(async () => void lines.push(...(await exportRecords(file, records, newPassword))))
  const history = historyStore({ db: database, clock, bus: inProcessEventBus(), log: silentLog })
  lines.push(...(await exportHistory({ file, history, clock, systems: await records.loadIds('systems') })))
  file.finish()
  const lost = providers.providers.filter((one) => !isPortableProvider(one)).map(({ name }) => name)
  return [...lines, ...providersLine(providers.providers.length, lost)]
}

function providersLine(found: number, lost: readonly string[]): readonly TransferLine[] {
  if (found === 0) return []
  const reason = 'the other hub needs the addresses of this provider: set it up there'
  const leftOut = lost.length === 0 ? [] : [{ reason, count: lost.length, examples: lost.slice(0, 3) }]
  return [{ what: 'providers', found, taken: found - lost.length, present: 0, changed: [], leftOut }]
}
