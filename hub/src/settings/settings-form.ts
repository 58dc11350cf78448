import { nullRecord } from '@vedette/protocol/null-record'
import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { BATCH_SECONDS } from '../records/writing/batch.ts'
import { nestedFieldErrorsOf } from '../records/model/field-errors.ts'
import { isJsonObject } from '../platform/json.ts'
import { badRequest, type FieldError, type FieldErrors } from '../records/model/record-error.ts'
import { logSettingsForm } from '../operations/logs/log-settings.ts'
import { backupsForm, metaForm, rateLimitsForm, changedSmtp, smtpForm, trustedProxyForm } from './settings-fields.ts'
import type { SettingsForm } from './settings-schema.ts'
import type { HubSettings } from './settings.ts'

const noStore = { enabled: false, bucket: '', region: '', endpoint: '', accessKey: '', forcePathStyle: false }

/**
 * Converts the hub's settings to the JSON object that clients read. It has the settings that admins can change, except for the mail
 * password, and fixed values for features that this hub lacks.
 */
export function settingsForm({ meta, batch, smtp, backups, logs, rateLimits, trustedProxy }: HubSettings): SettingsForm {
  const { password: _, ...shown } = smtp
  return {
    superuserIPs: [],
    // For clients that expect `tls` instead of `encryption`.
    smtp: { ...shown, tls: smtp.encryption === 'tls' },
    backups: { ...backups, s3: noStore },
    s3: noStore,
    meta: { accentColor: '', ...meta, hideControls: true },
    rateLimits: { ...rateLimits, rules: rateLimits.rules.map((rule) => ({ ...rule })) },
    trustedProxy: { ...trustedProxy },
    batch: { ...batch, maxRequests: 50, timeout: BATCH_SECONDS, maxBodySize: 0 },
    logs: { ...logs },
  }
}

type Problems = { [name: string]: FieldErrors | FieldError }

/**
 * Applies an admin's request body to the hub's settings and returns all settings. `namesProxies`: the operator configured trusted proxies.
 * Throws 400 with errors by field, also if a fixed value would change.
 */
export function changedSettings(current: HubSettings, body: JsonObject, namesProxies: boolean): HubSettings {
  const before = settingsForm(current)
  const after = mergedInto(before, body)
  const sendsMail = part(after, 'smtp')['enabled'] === true
  const smtp = smtpForm(sendsMail)
  const form = z.object({
    // The sender is required as soon as emails can be sent.
    meta: metaForm(sendsMail && smtp.safeParse(part(after, 'smtp')).success),
    smtp,
    batch: z.object({ enabled: z.unknown().transform((enabled) => enabled === true) }),
    backups: backupsForm,
    logs: logSettingsForm,
    rateLimits: rateLimitsForm(part(after, 'rateLimits')['enabled'] === true),
    trustedProxy: trustedProxyForm(namesProxies),
  })
  const parsed = form.safeParse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, part(after, name)])))
  const errors: Problems = { ...fixed(before, after), ...(parsed.success ? {} : nestedFieldErrorsOf(parsed.error)) }
  if (!parsed.success || Object.keys(errors).length > 0) throw badRequest('An error occurred while saving the new settings.', errors)
  return { ...parsed.data, smtp: changedSmtp(current.smtp, part(body, 'smtp'), parsed.data.smtp) }
}

function part(body: JsonObject, name: string): JsonObject {
  const value = ownValue(body, name)
  return value !== undefined && isJsonObject(value) ? value : {}
}

/**
 * Merges a request body into the JSON of the hub's settings, nested objects too, and returns a copy. Names that the settings lack are
 * ignored.
 */
function mergedInto(before: JsonObject, body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const sent = ownValue(body, name)
      if (sent === undefined) return [name, value]
      return [name, isJsonObject(value) && isJsonObject(sent) ? mergedInto(value, sent) : sent]
    }),
  )
}

const open = new Set([
  'meta.appName',
  'meta.appURL',
  'meta.senderName',
  'meta.senderAddress',
  'batch.enabled',
  'backups.cron',
  'backups.cronMaxKeep',
])
const openParts = ['smtp.', 'logs.', 'rateLimits.', 'trustedProxy.']
const isOpen = (path: string): boolean => open.has(path) || openParts.some((part) => path.startsWith(part))
const notOffered: FieldError = { code: 'validation_not_supported', message: 'This hub does not offer that.' }

function fixed(before: JsonObject, after: JsonObject, path = ''): Problems {
  const errors = nullRecord<Problems[string]>()
  for (const [name, value] of Object.entries(after)) {
    const known = ownValue(before, name) ?? null
    if (isJsonObject(known) && isJsonObject(value)) {
      const inner = fixed(known, value, `${path}${name}.`)
      if (Object.keys(inner).length > 0) errors[name] = inner
    } else if (!isOpen(path + name) && JSON.stringify(known) !== JSON.stringify(value)) errors[name] = notOffered
  }
  return errors
}

/** Returns true when settings on which sending emails depends differ: mail server, sender, or the hub's name or URL. */
export function mailChanged(before: HubSettings, after: HubSettings): boolean {
  const mailFields = ({ smtp, meta }: HubSettings): Json => ({ ...smtp, ...meta })
  return JSON.stringify(mailFields(before)) !== JSON.stringify(mailFields(after))
}
