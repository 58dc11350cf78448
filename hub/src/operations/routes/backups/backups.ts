import type { Context } from 'hono'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { isAdmin, textOf, type StoredRecord, recordDate } from '../../../records/model/stored-record.ts'
import type { Auth } from '../../../accounts/auth.ts'
import type { ConnectionGuard } from '../../../platform/http/connection-guard.ts'
import { receiveFile } from '../../../http/requests/receive-file.ts'
import type { RequestContext } from '../../../http/requests/request-context.ts'
import { defineRoute } from '../../../http/routing/define-route.ts'
import { textOrNone, texts } from '../../../http/routing/field-schemas.ts'
import { noteInAudit } from '../../../records/writing/audit-log.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import { badRequest, RecordError, type FieldError } from '../../../records/model/record-error.ts'
import { BackupRefusedError } from '../../backups/archive/backup-error.ts'
import { isBackupName, LONGEST_BACKUP_NAME, type BackupFile } from '../../backups/backup-folder.ts'
import type { Backups } from '../../backups/backups.ts'

export type BackupRouteParts = {
  readonly backups: Backups
  readonly engine: Pick<Engine, 'database' | 'clock'>
}

const listCompatible = defineRoute('GET /api/backups', {
  tag: 'back-office',
  summary: 'The backups',
  access: 'admin',
  response: z.array(z.object({ key: z.string(), size: z.number(), modified: z.string() })),
  handle: async (_, { backups }: BackupRouteParts) =>
    (await newestLast(backups)).map(({ name, bytes, modifiedAtMs }) => ({ key: name, size: bytes, modified: recordDate(modifiedAtMs) })),
})

const makeCompatible = defineRoute('POST /api/backups', {
  tag: 'back-office',
  summary: 'Makes a backup',
  access: 'admin',
  body: texts(z.object({ name: textOrNone })),
  response: 'nothing',
  async handle({ actor, body }, parts: BackupRouteParts) {
    const name = await makeBackup(parts.backups, await body(), undefined)
    await noteBackup(parts, actor, 'create', name)
  },
})

const upload = defineRoute('POST /api/backups/upload', {
  tag: 'back-office',
  summary: 'Receives a backup: the field `file` of a form',
  access: 'admin',
  receivesBody: true,
  response: 'nothing',
  async handle({ c, actor }, parts: BackupRouteParts & { readonly admission: { readonly connections: Pick<ConnectionGuard, 'limits'> } }) {
    const { folder } = parts.backups
    await receiveFile(c, parts.admission.connections.limits.uploadStalledMs, async ({ name, content }) => {
      const error = await wrongName(parts.backups, name)
      if (error !== undefined) throw badRequest(INVALID, { file: error })
      await refusedAs400(() => folder.receive(name, content))
      await noteBackup(parts, actor, 'upload', name)
    })
  },
})

const download = defineRoute('GET /api/backups/:name', {
  tag: 'back-office',
  summary: 'Downloads a backup',
  access: { door: 'anyone', decidedBy: "`token`, an admin's file token" },
  query: z.object({ token: z.string().default('') }),
  response: 'file',
  async handle({ c, params, query }, parts: BackupRouteParts & { readonly accounts: { readonly auth: Pick<Auth, 'fileBearer'> } }) {
    const bearer = await parts.accounts.auth.fileBearer(query.token)
    if (bearer === undefined || !isAdmin(bearer)) throw new RecordError(403, 'Insufficient permissions to access the resource.')
    const found = await existing(parts.backups, params.name)
    await noteBackup(parts, bearer, 'download', found.name)
    return sendBackup(c, found)
  },
})

const restoreCompatible = defineRoute('POST /api/backups/:name/restore', {
  tag: 'back-office',
  summary: 'Checks a backup and restores it; the hub restarts',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params }, parts: BackupRouteParts & RestartParts) {
    await existing(parts.backups, params.name)
    await prepareRestore(parts, actor, { name: params.name, passphrase: undefined })
  },
})

const remove = defineRoute('DELETE /api/backups/:name', {
  tag: 'back-office',
  summary: 'Deletes a backup',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params: { name } }, parts: BackupRouteParts) {
    const { folder } = parts.backups
    const raw = `[key: ${name}] remove ${join(folder.path, name)}: no such file or directory\nresource not found.`
    if (!(await folder.remove(name))) throw badRequest(`Invalid or already deleted backup file. Raw error: \n${raw}`)
    await noteBackup(parts, actor, 'delete', name)
  },
})

/** List of the HTTP routes that list, make, upload, download, restore and delete backups, as tools for PocketBase call them. */
export const compatibleBackupRoutes = [listCompatible, makeCompatible, upload, download, restoreCompatible, remove]

const INVALID = 'An error occurred while validating the submitted data.'
export type RestartParts = {
  /** Function that restarts the hub after the responses in progress were sent. The hub then carries out a staged restore. */
  readonly restart: () => void
}

type BackupAtPath = BackupFile & { readonly path: string }

/** Resolves to the backup (name, size, time and path) with this file name. Throws 400 when it does not exist in the backup folder. */
async function existing({ folder }: Backups, name: string): Promise<BackupAtPath> {
  const found = await folder.find(name)
  if (found === undefined) throw badRequest('Missing or invalid backup file.')
  return found
}

export async function newestLast({ folder }: Backups): Promise<readonly BackupFile[]> {
  return (await refusedAs400(folder.list)).toSorted((a, b) => a.modifiedAtMs - b.modifiedAtMs)
}

/**
 * Makes a backup with the given name and resolves to its file name. Throws 400 for an invalid name or one that exists, and if the backup
 * fails or another one runs. Without a name, or with an empty one, the hub chooses a name with the current time. `passphrase` encrypts the
 * secret key in it.
 */
export async function makeBackup(
  backups: Backups,
  { name }: { readonly name?: string | undefined },
  passphrase: string | undefined,
): Promise<string> {
  const given = name === '' ? undefined : name
  const error = given === undefined ? undefined : await wrongName(backups, given)
  if (error !== undefined) throw badRequest(INVALID, { name: error })
  return refusedAs400(() => backups.make({ ...(given === undefined ? {} : { name: given }), passphrase, by: 'person' }))
}

export async function prepareRestore(
  { backups, restart }: BackupRouteParts & RestartParts,
  actor: StoredRecord,
  { name, passphrase }: { readonly name: string; readonly passphrase: string | undefined },
): Promise<void> {
  await refusedAs400(() => backups.prepareRestore(name, passphrase, { id: actor.id, email: textOf(actor, 'email') }))
  restart()
}

export async function noteBackup({ engine }: BackupRouteParts, by: StoredRecord, action: string, name: string): Promise<void> {
  await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), { by, action, target: 'backups', name }))
}

async function wrongName({ folder }: Backups, name: string): Promise<FieldError | undefined> {
  if (name.length > LONGEST_BACKUP_NAME) {
    const message = `The length must be between 1 and ${LONGEST_BACKUP_NAME}.`
    return { code: 'validation_length_out_of_range', message, params: { max: LONGEST_BACKUP_NAME, min: 1 } }
  }
  if (!isBackupName(name)) return { code: 'validation_match_invalid', message: 'Must be in a valid format.' }
  return (await folder.find(name)) === undefined ? undefined : nameTaken
}

const nameTaken: FieldError = { code: 'validation_backup_name_exists', message: 'The backup file name is invalid or already exists.' }

function sendBackup(c: Context<RequestContext>, { path, name, bytes }: BackupAtPath): Response {
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream // a file's stream yields bytes
  return c.body(body, 200, {
    'content-type': 'application/zip',
    'content-length': String(bytes),
    'content-disposition': `attachment; filename=${name}`,
    // Other tools expect this header. The URL has a token that expires within minutes.
    'cache-control': 'max-age=2592000, stale-while-revalidate=86400',
  })
}

/** Runs `work` and resolves to its result. Converts a {@link BackupRefusedError} to an HTTP 400 error with the same message. */
export async function refusedAs400<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BackupRefusedError ? badRequest(error.message) : error
  }
}
