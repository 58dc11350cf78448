import { Hono, type Context } from 'hono'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { BackupRefusedError } from '../backups/archive/backup-error.ts'
import { isBackupName, LONGEST_BACKUP_NAME, type BackupFile } from '../backups/backup-folder.ts'
import type { Backups } from '../backups/backups.ts'
import { SHORTEST_PASSPHRASE } from '../backups/archive/passphrase.ts'
import type { Attempts } from '../../accounts/attempts.ts'
import type { Auth } from '../../accounts/auth.ts'
import { confirmPassword } from '../../accounts/confirm-password.ts'
import { isAdmin } from '../../records/model/actor.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { asText } from '../../records/model/record-row.ts'
import { badRequest, RecordError, type FieldError } from '../../records/model/record-error.ts'
import { recordDate } from '../../records/model/record-date.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { PeerLimits } from '../../http/connections/peer-limits.ts'
import { readTexts } from '../../http/requests/request-body.ts'
import { askedByAdmin, remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'
import { receiveFile } from '../../http/requests/receive-file.ts'

type BackupsRouteParts = {
  readonly backups: Backups
  readonly auth: Auth
  readonly attempts: Attempts
  readonly engine: Pick<Engine, 'database' | 'clock'>
  readonly limits: Pick<PeerLimits, 'uploadStalledMs'>
  /** Starts the hub anew, when what is being answered is. */
  readonly restart: () => void
}

/** Body of the one request that may be larger than all others. */
export const UPLOAD_PATH = '/api/backups/upload'

/** Backups for admins: as other hubs' tools ask for them, and our own way, which asks for the password again. */
export function backupsRoute({ backups, auth, attempts, engine, limits, restart }: BackupsRouteParts): Hono<RequestContext> {
  const { folder } = backups

  async function confirmed(c: Context<RequestContext>): Promise<Body> {
    const { actor } = askedByAdmin(c)
    const body = await readTexts(c)
    await confirmPassword(attempts, { actor, password: body['password'], address: remoteAddress(c) })
    return body
  }

  async function make(body: Body, passphrase?: string): Promise<string> {
    const { name } = body
    const given = typeof name === 'string' && name !== '' ? name : undefined
    const error = given === undefined ? undefined : ((await wrongName(given)) ?? undefined)
    if (error !== undefined) throw badRequest('An error occurred while validating the submitted data.', { name: error })
    return told(() => backups.make({ ...(given === undefined ? {} : { name: given }), passphrase, by: 'person' }))
  }

  async function wrongName(name: string): Promise<FieldError | undefined> {
    if (name.length > LONGEST_BACKUP_NAME) {
      const message = `The length must be between 1 and ${LONGEST_BACKUP_NAME}.`
      return { code: 'validation_length_out_of_range', message, params: { max: LONGEST_BACKUP_NAME, min: 1 } }
    }
    if (!isBackupName(name)) return { code: 'validation_match_invalid', message: 'Must be in a valid format.' }
    return (await folder.find(name)) === undefined ? undefined : nameTaken
  }

  async function restore(c: Context<RequestContext>, name: string, passphrase: string | undefined): Promise<void> {
    const { id, email } = askedByAdmin(c).actor
    await told(() => backups.prepareRestore(name, passphrase, { id, email: asText(email ?? '') }))
    restart()
  }

  async function note(by: StoredRecord, action: string, name: string): Promise<void> {
    await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), { by, action, target: 'backups', name }))
  }

  return new Hono<RequestContext>()
    .get('/api/backups', async (c) => {
      askedByAdmin(c)
      return c.json(
        (await newestLast()).map(({ name, bytes, modifiedAtMs }) => ({ key: name, size: bytes, modified: recordDate(modifiedAtMs) })),
      )
    })
    .post('/api/backups', async (c) => {
      const { actor } = askedByAdmin(c)
      await note(actor, 'create', await make(await readTexts(c)))
      return c.body(null, 204)
    })
    .post(UPLOAD_PATH, async (c) => {
      const { actor } = askedByAdmin(c)
      await receiveFile(c, limits.uploadStalledMs, async ({ name, content }) => {
        const error = await wrongName(name)
        if (error !== undefined) throw badRequest('An error occurred while validating the submitted data.', { file: error })
        await told(() => folder.receive(name, content))
        await note(actor, 'upload', name)
      })
      return c.body(null, 204)
    })
    .get('/api/backups/:name', async (c) => {
      const bearer = await auth.fileBearer(c.req.query('token') ?? '')
      if (bearer === undefined || !isAdmin(bearer)) throw new RecordError(403, 'Insufficient permissions to access the resource.')
      const found = await folder.find(c.req.param('name'))
      if (found === undefined) throw badRequest('Missing or invalid backup file.')
      await note(bearer, 'download', found.name)
      const body = Readable.toWeb(createReadStream(found.path)) as ReadableStream // of bytes, as the stream of a file is
      return c.body(body, 200, {
        'content-type': 'application/zip',
        'content-length': String(found.bytes),
        'content-disposition': `attachment; filename=${found.name}`,
        // As tools expect it; the address has a token in it and is good for minutes only.
        'cache-control': 'max-age=2592000, stale-while-revalidate=86400',
      })
    })
    .post('/api/backups/:name/restore', async (c) => {
      askedByAdmin(c)
      if ((await folder.find(c.req.param('name'))) === undefined) throw badRequest('Missing or invalid backup file.')
      await restore(c, c.req.param('name'), undefined)
      return c.body(null, 204)
    })
    .delete('/api/backups/:name', async (c) => {
      askedByAdmin(c)
      const name = c.req.param('name')
      const raw = `[key: ${name}] remove ${join(folder.path, name)}: no such file or directory\nresource not found.`
      if (!(await folder.remove(name))) throw badRequest(`Invalid or already deleted backup file. Raw error: \n${raw}`)
      await note(askedByAdmin(c).actor, 'delete', name)
      return c.body(null, 204)
    })
    .get('/api/vedette/backups', async (c) => {
      askedByAdmin(c)
      return c.json({ backups: await newestLast(), working: backups.working() ?? null })
    })
    .post('/api/vedette/backups', async (c) => {
      const body = await confirmed(c)
      const passphrase = newPassphrase(body)
      const name = await make(body, passphrase)
      await note(askedByAdmin(c).actor, passphrase === undefined ? 'create' : 'create with key', name)
      return c.json({ name })
    })
    .post('/api/vedette/backups/:name/verify', async (c) => {
      askedByAdmin(c)
      const passphrase = textOf((await readTexts(c))['passphrase'])
      return c.json(await told(() => backups.verify(c.req.param('name'), passphrase)))
    })
    .post('/api/vedette/backups/:name/download', async (c) => {
      await confirmed(c)
      return c.json({ token: auth.fileToken(askedByAdmin(c)) })
    })
    .post('/api/vedette/backups/:name/restore', async (c) => {
      const passphrase = textOf((await confirmed(c))['passphrase'])
      await restore(c, c.req.param('name'), passphrase)
      return c.body(null, 204)
    })

  async function newestLast(): Promise<readonly BackupFile[]> {
    return (await folder.list()).toSorted((a, b) => a.modifiedAtMs - b.modifiedAtMs)
  }
}

const nameTaken: FieldError = { code: 'validation_backup_name_exists', message: 'The backup file name is invalid or already exists.' }

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function newPassphrase(body: Body): string | undefined {
  const passphrase = textOf(body['passphrase'])
  if (passphrase === undefined || passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
  const message = `Must be at least ${SHORTEST_PASSPHRASE} characters long.`
  throw badRequest(undefined, { passphrase: { code: 'validation_length_out_of_range', message } })
}

/** What cannot be done is said to who asked. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BackupRefusedError ? badRequest(error.message) : error
  }
}
