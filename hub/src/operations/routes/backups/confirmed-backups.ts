import { z } from 'zod'
import type { Attempts } from '../../../accounts/attempts.ts'
import type { Auth } from '../../../accounts/auth.ts'
import { confirmPassword } from '../../../accounts/account.ts'
import { remoteAddress } from '../../../http/requests/request-context.ts'
import { defineRoute } from '../../../http/routing/define-route.ts'
import { refusedWith } from '../../../records/model/field-errors.ts'
import { textOrNone, texts } from '../../../http/routing/field-schemas.ts'
import { SHORTEST_PASSPHRASE } from '../../backups/archive/passphrase.ts'
import { manifestSchema } from '../../backups/archive/manifest.ts'
import { makeBackup, newestLast, noteBackup, prepareRestore, refusedAs400, type BackupRouteParts, type RestartParts } from './backups.ts'

type ConfirmParts = BackupRouteParts & { readonly attempts: Attempts; readonly accounts: { readonly auth: Pick<Auth, 'fileToken'> } }

/** Schema of an optional passphrase for a backup in a request body. Empty text becomes `undefined`. */
const passphrase = textOrNone.transform((text) => (text === '' ? undefined : text))
const newPassphrase = passphrase.refine(
  (text) => text === undefined || text.length >= SHORTEST_PASSPHRASE,
  refusedWith({ code: 'validation_length_out_of_range', message: `Must be at least ${SHORTEST_PASSPHRASE} characters long.` }),
)
const confirmed = z.object({ password: textOrNone })
const access = { door: 'admin', decidedBy: 'the password of the admin in the body' } as const

const backupWork = z.object({
  what: z.enum(['making', 'checking', 'restoring']),
  name: z.string(),
  step: z.string().optional(),
  doneBytes: z.number().optional(),
  totalBytes: z.number().optional(),
})

const list = defineRoute('GET /api/vedette/backups', {
  tag: 'back-office',
  summary: 'The backups, newest last, and the work in progress',
  access: 'admin',
  response: z.object({
    backups: z.array(z.object({ name: z.string(), bytes: z.number(), modifiedAtMs: z.number() })),
    working: backupWork.nullable(),
  }),
  handle: async (_, { backups }: BackupRouteParts) => ({ backups: await newestLast(backups), working: backups.working() ?? null }),
})

const make = defineRoute('POST /api/vedette/backups', {
  tag: 'back-office',
  summary: 'Makes a backup, with the secret key if there is a passphrase',
  access,
  body: texts(confirmed.extend({ name: textOrNone, passphrase: newPassphrase })),
  response: z.object({ name: z.string() }),
  async handle({ c, actor, body }, parts: ConfirmParts) {
    const sent = await body()
    await confirmPassword(parts.attempts, { actor, password: sent.password, address: remoteAddress(c) })
    const name = await makeBackup(parts.backups, sent, sent.passphrase)
    await noteBackup(parts, actor, sent.passphrase === undefined ? 'create' : 'create with key', name)
    return { name }
  },
})

const verify = defineRoute('POST /api/vedette/backups/:name/verify', {
  tag: 'back-office',
  summary: 'Reads a whole backup and checks it; answers its manifest',
  access: 'admin',
  body: texts(z.object({ passphrase })),
  response: manifestSchema,
  async handle({ params, body }, { backups }: BackupRouteParts) {
    const sent = await body()
    return refusedAs400(() => backups.verify(params.name, sent.passphrase))
  },
})

const allowDownload = defineRoute('POST /api/vedette/backups/:name/download', {
  tag: 'back-office',
  summary: 'A file token to download a backup with',
  access,
  body: texts(confirmed),
  response: z.object({ token: z.string() }),
  async handle({ c, actor, proof, body }, { attempts, accounts }: ConfirmParts) {
    const sent = await body()
    await confirmPassword(attempts, { actor, password: sent.password, address: remoteAddress(c) })
    return { token: accounts.auth.fileToken({ actor, proof }) }
  },
})

const restore = defineRoute('POST /api/vedette/backups/:name/restore', {
  tag: 'back-office',
  summary: 'Checks a backup and restores it; the hub restarts',
  access,
  body: texts(confirmed.extend({ passphrase })),
  response: 'nothing',
  async handle({ c, actor, params, body }, parts: ConfirmParts & RestartParts) {
    const sent = await body()
    await confirmPassword(parts.attempts, { actor, password: sent.password, address: remoteAddress(c) })
    await prepareRestore(parts, actor, { name: params.name, passphrase: sent.passphrase })
  },
})

/**
 * List of the HTTP routes by which this hub's back-office makes, checks, restores and downloads backups. Making, restoring and downloading
 * require the admin's password again.
 */
export const confirmedBackupRoutes = [list, make, verify, allowDownload, restore]
