import { nullRecord } from '@vedette/protocol/null-record'
import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { isSchedule, type BackupSettings } from '../operations/backups/schedule.ts'
import { BATCH_SECONDS } from '../records/writing/batch.ts'
import { blank, isEmail } from '../records/model/field-check.ts'
import { isJsonObject } from '../records/model/json-value.ts'
import { badRequest, type FieldError, type FieldErrors } from '../records/model/record-error.ts'
import { storedLogSettings, wrongLogSettings } from './log-settings-form.ts'
import type { HubSettings } from './settings.ts'
import { storedRateLimits, wrongRateLimits } from './rate-limits-form.ts'
import { changedSmtp, wrongSmtp } from './smtp-form.ts'
import { storedTrustedProxy, wrongTrustedProxy } from './trusted-proxy-form.ts'

const noStore = { enabled: false, bucket: '', region: '', endpoint: '', accessKey: '', forcePathStyle: false }

/** Everything clients read of a hub's settings: what can be set, and what is fixed because this hub has or does no such thing. */
export function settingsForm({ meta, batch, smtp, backups, logs, rateLimits, trustedProxy }: HubSettings): JsonObject {
  const { password: _, ...shown } = smtp
  return {
    superuserIPs: [],
    // `tls` is what other hubs call encryption from the first byte.
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
 * The settings after a change. `namesProxies`: whether the operator of the hub named trusted proxies. Throws 400 with what is
 * wrong by its path; also for a change of what is fixed.
 */
export function changedSettings(current: HubSettings, body: JsonObject, namesProxies: boolean): HubSettings {
  const before = settingsForm(current)
  const after = mergedInto(before, body)
  const smtp = changedSmtp(current.smtp, part(body, 'smtp'), part(after, 'smtp'))
  const meta = part(after, 'meta')
  const [appName, appURL, senderName, senderAddress] = ['appName', 'appURL', 'senderName', 'senderAddress'].map((name) =>
    textOf(meta, name),
  )
  const changed: HubSettings = {
    meta: { appName: appName ?? '', appURL: appURL ?? '', senderName: senderName ?? '', senderAddress: senderAddress ?? '' },
    smtp,
    batch: { enabled: part(after, 'batch')['enabled'] === true },
    backups: { cron: textOf(part(after, 'backups'), 'cron').trim(), cronMaxKeep: Number(part(after, 'backups')['cronMaxKeep']) },
    logs: storedLogSettings(part(after, 'logs')),
    rateLimits: storedRateLimits(part(after, 'rateLimits')),
    trustedProxy: storedTrustedProxy(part(after, 'trustedProxy')),
  }
  const wrongMail = wrongSmtp(part(after, 'smtp'))
  const found: Problems = {
    smtp: wrongMail,
    backups: wrongBackups(changed.backups),
    logs: wrongLogSettings(part(after, 'logs')),
    rateLimits: wrongRateLimits(part(after, 'rateLimits')),
    trustedProxy: wrongTrustedProxy(part(after, 'trustedProxy'), namesProxies),
    // Who writes is needed as soon as letters can go out.
    meta: wrongMeta(changed, changed.smtp.enabled && Object.keys(wrongMail).length === 0),
  }
  const errors: Problems = {
    ...fixed(before, after),
    ...Object.fromEntries(Object.entries(found).filter(([, wrong]) => Object.keys(wrong).length > 0)),
  }
  if (Object.keys(errors).length > 0) throw badRequest('An error occurred while saving the new settings.', errors)
  return changed
}

function part(body: JsonObject, name: string): JsonObject {
  const value = ownValue(body, name)
  return value !== undefined && isJsonObject(value) ? value : {}
}

function textOf(object: JsonObject, name: string): string {
  const text = ownValue(object, name)
  return typeof text === 'string' ? text : ''
}

function wrongBackups({ cron, cronMaxKeep }: BackupSettings): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {}
  if (cron !== '' && !isSchedule(cron)) errors['cron'] = notSchedule
  if (!Number.isInteger(cronMaxKeep) || cronMaxKeep < 1 || cronMaxKeep > MOST_KEPT) errors['cronMaxKeep'] = wrongKept
  return errors
}

const MOST_KEPT = 1000
const wrongKept: FieldError = { code: 'validation_invalid_value', message: `Must be a whole number from 1 to ${MOST_KEPT}.` }
const notSchedule: FieldError = { code: 'validation_invalid_cron', message: 'Must be a cron expression of five fields, such as 0 4 * * *.' }

/** Only names that are known are taken. */
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

const wrongAddress: FieldError = { code: 'validation_is_email', message: 'Must be a valid email address.' }
const wrongUrl: FieldError = { code: 'validation_is_url', message: 'Must be a valid http or https address.' }

function wrongMeta(
  { meta: { appName, appURL, senderName, senderAddress } }: HubSettings,
  needsSender: boolean,
): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {}
  if (appName === '') errors['appName'] = blank
  if (appURL === '') errors['appURL'] = blank
  else if (!URL.canParse(appURL) || !/^https?:$/.test(new URL(appURL).protocol)) errors['appURL'] = wrongUrl
  if (needsSender && senderName === '') errors['senderName'] = blank
  if (senderAddress === '' ? needsSender : !isEmail(senderAddress)) errors['senderAddress'] = senderAddress === '' ? blank : wrongAddress
  return errors
}

/** Whether the hub's letters go out in another way than before. */
export function mailChanged(before: HubSettings, after: HubSettings): boolean {
  const told = ({ smtp, meta }: HubSettings): Json => ({ ...smtp, ...meta })
  return JSON.stringify(told(before)) !== JSON.stringify(told(after))
}
