import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { BATCH_SECONDS } from '../records/batch.ts'
import { blank } from '../records/field-check.ts'
import { isJsonObject } from '../records/json-value.ts'
import { badRequest, type FieldError, type FieldErrors } from '../records/record-error.ts'
import type { HubSettings } from './settings.ts'

const noStore = { enabled: false, bucket: '', region: '', endpoint: '', accessKey: '', forcePathStyle: false }

/** Everything clients read of a hub's settings: what can be set, and what is fixed because this hub has or does no such thing. */
export function settingsForm({ meta, batch }: HubSettings): JsonObject {
  return {
    superuserIPs: [],
    smtp: { enabled: false, port: 587, host: '', username: '', authMethod: '', tls: false, localName: '' },
    backups: { cron: '', cronMaxKeep: 0, s3: noStore },
    s3: noStore,
    meta: { accentColor: '', ...meta, senderName: '', senderAddress: '', hideControls: true },
    rateLimits: { rules: [], excludedIPs: [], enabled: false },
    trustedProxy: { headers: [], useLeftmostIP: false },
    batch: { ...batch, maxRequests: 50, timeout: BATCH_SECONDS, maxBodySize: 0 },
    logs: { maxDays: 0, minLevel: 0, logIP: false, logAuthId: false },
  }
}

/** The settings after a change. Throws 400 with what is wrong by its path; also for a change of what is fixed. */
export function changedSettings(current: HubSettings, body: JsonObject): HubSettings {
  const before = settingsForm(current)
  const after = mergedInto(before, body)
  const errors = { ...fixed(before, after), ...wrongSmtp(after) }
  const { meta, batch } = after
  const [appName, appURL] = isJsonObject(meta ?? null) ? [textOf(meta, 'appName'), textOf(meta, 'appURL')] : ['', '']
  const missing = { ...(appName === '' ? { appName: blank } : {}), ...(appURL === '' ? { appURL: blank } : {}) }
  if (Object.keys(missing).length > 0) errors['meta'] = missing
  if (Object.keys(errors).length > 0) throw badRequest('An error occurred while saving the new settings.', errors)
  return { meta: { appName, appURL }, batch: { enabled: batch !== undefined && isJsonObject(batch) && batch['enabled'] === true } }
}

function textOf(value: Json | undefined, name: string): string {
  const text = value !== undefined && isJsonObject(value) ? value[name] : undefined
  return typeof text === 'string' ? text : ''
}

/** Only names that are known are taken. */
function mergedInto(before: JsonObject, body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const sent = body[name]
      if (sent === undefined) return [name, value]
      return [name, isJsonObject(value) && isJsonObject(sent) ? mergedInto(value, sent) : sent]
    }),
  )
}

const open = new Set(['meta.appName', 'meta.appURL', 'batch.enabled'])
const notOffered: FieldError = { code: 'validation_not_supported', message: 'This hub does not offer that.' }

function fixed(before: JsonObject, after: JsonObject, path = ''): { [name: string]: FieldErrors | FieldError } {
  const errors: { [name: string]: FieldErrors | FieldError } = {}
  for (const [name, value] of Object.entries(after)) {
    const known = before[name] ?? null
    if (isJsonObject(known) && isJsonObject(value)) {
      const inner = fixed(known, value, `${path}${name}.`)
      if (Object.keys(inner).length > 0) errors[name] = inner
    } else if (!open.has(path + name) && JSON.stringify(known) !== JSON.stringify(value)) errors[name] = notOffered
  }
  return errors
}

/** What mail needs is said first, as whoever fills in a form expects. */
function wrongSmtp({ smtp }: JsonObject): { [name: string]: FieldErrors } {
  if (smtp === undefined || !isJsonObject(smtp) || smtp['enabled'] !== true) return {}
  const missing = { ...(textOf(smtp, 'host') === '' ? { host: blank } : {}), ...(smtp['port'] ? {} : { port: blank }) }
  return Object.keys(missing).length > 0 ? { smtp: missing } : {}
}
