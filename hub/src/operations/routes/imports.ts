import { z } from 'zod'
import { confirmPassword } from '../../accounts/account.ts'
import type { Attempts } from '../../accounts/attempts.ts'
import { receiveFile } from '../../http/requests/receive-file.ts'
import { remoteAddress } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { fields, textOrNone } from '../../http/routing/field-schemas.ts'
import type { HubList } from '../health/hub-list.ts'
import type { ConnectionGuard } from '../../platform/http/connection-guard.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import { ImportStateError, type Imports } from '../transfer/imports.ts'
import { TransferRefusedError } from '../transfer/source/transfer-refused-error.ts'

type ImportRouteParts = {
  readonly imports: Imports
  readonly engine: Pick<Engine, 'database' | 'clock'>
}

const remark = z.object({ reason: z.string(), count: z.number(), examples: z.array(z.string()).readonly() })
const line = z.object({
  what: z.string(),
  found: z.number(),
  taken: z.number(),
  present: z.number(),
  changed: z.array(remark).readonly(),
  leftOut: z.array(remark).readonly(),
})

const importState = z.union([
  z.object({ state: z.enum(['none', 'reading', 'done']) }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
  z.object({
    state: z.literal('ready'),
    lines: z.array(line).readonly(),
    bytes: z.number(),
    seconds: z.number(),
    superusers: z.array(z.string()).readonly(),
    asksKey: z.boolean(),
    lateMinutes: z.number().nullable(),
  }),
  z.object({ state: z.literal('importing'), done: z.number(), total: z.number() }),
])

const read = defineRoute('GET /api/vedette/import', {
  tag: 'back-office',
  summary: 'The state of the import of another hub, with its rehearsal once that is ready',
  access: 'admin',
  response: importState,
  handle: async (_, { imports }: ImportRouteParts) => imports.state(),
})

const upload = defineRoute('POST /api/vedette/import/upload', {
  tag: 'back-office',
  summary: 'Receives a backup of another hub, the field `file` of a form, and rehearses its import',
  access: 'admin',
  receivesBody: true,
  response: 'nothing',
  async handle({ c, actor }, parts: ImportRouteParts & { readonly admission: { readonly connections: Pick<ConnectionGuard, 'limits'> } }) {
    await receiveFile(c, parts.admission.connections.limits.uploadStalledMs, async ({ content }) => {
      await refusedAs400(() => parts.imports.receive(content))
      await noteImport(parts, actor, 'upload')
    })
  },
})

const MOST_ADMINS = 100
const confirmed = z.object({
  password: textOrNone,
  admins: z.array(z.string().max(255)).max(MOST_ADMINS).default([]),
  key: z.enum(['theirs', 'ours']).optional(),
})

const run = defineRoute('POST /api/vedette/import', {
  tag: 'back-office',
  summary: 'Begins the rehearsed import; the hub restarts after it',
  access: { door: 'admin', decidedBy: 'the password of the admin in the body' },
  body: fields(confirmed),
  response: 'nothing',
  async handle(
    { c, actor, body },
    parts: ImportRouteParts & { readonly attempts: Attempts; readonly hubList: HubList; readonly restart: () => void },
  ) {
    const { password, admins, key } = await body()
    await confirmPassword(parts.attempts, { actor, password, address: remoteAddress(c) })
    if (await hasOthers(parts.hubList)) throw badRequest('Several hubs use this database: stop them, and use the command "vedette import"')
    await noteImport(parts, actor, 'start')
    await refusedAs400(async () => parts.imports.run({ admins }, key, parts.restart))
  },
})

const discard = defineRoute('DELETE /api/vedette/import', {
  tag: 'back-office',
  summary: 'Forgets the uploaded backup of another hub',
  access: 'admin',
  response: 'nothing',
  handle: async (_, { imports }: ImportRouteParts) => refusedAs400(imports.discard),
})

/**
 * List of the HTTP routes by which admins upload, preview and run the import of another hub's backup. Running it requires the admin's
 * password again.
 */
export const importRoutes = [read, upload, run, discard]

const DEAD_MS = 6000

async function hasOthers(hubs: HubList): Promise<boolean> {
  return (await hubs.load()).some(({ isThis, silentMs }) => !isThis && silentMs < DEAD_MS)
}

async function noteImport({ engine }: ImportRouteParts, by: StoredRecord, action: string): Promise<void> {
  await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), { by, action, target: 'import', name: '' }))
}

/** Runs `work` and resolves to its result. Converts the errors of a refused import to an HTTP 400 error with the same message. */
async function refusedAs400<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportStateError || error instanceof TransferRefusedError) throw badRequest(error.message)
    throw error
  }
}
