import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { isDeepStrictEqual } from 'node:util'
import { logSettingsForm } from '../../logs/log-settings.ts'
import { isJsonObject } from '../../../platform/json.ts'
import { noteInAudit } from '../../../records/writing/audit-log.ts'
import { backupsForm, metaForm, rateLimitsForm, smtpForm } from '../../../settings/settings-fields.ts'
import { defaultSettings, type HubSettings, settingsOf } from '../../../settings/settings.ts'
import type { ForeignHub, TransferTarget } from '../foreign-hub.ts'
import { foreignJson, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'

/**
 * Plan for the settings of the imported hub: `judged` has one decision for each setting. `next` are all settings that this hub gets,
 * `undefined` if nothing changes. `sendsMail`: this hub can send email afterwards.
 */
export type SettingsPlan = { readonly judged: readonly RowJudgement[]; readonly next: HubSettings | undefined; readonly sendsMail: boolean }

/**
 * One setting of the imported hub that was changed there. `change` takes this hub's settings and returns them with that setting;
 * `undefined` if this hub cannot use the value.
 */
type SettingOffer = {
  readonly name: string
  readonly change: (settings: HubSettings) => HubSettings | undefined
  /**
   * Returns the part of this hub's settings that `change` replaces. If that part differs from this hub's default, an admin has set it here,
   * so the imported setting is left out.
   */
  readonly part: (settings: HubSettings) => unknown
}

/**
 * Decides which settings of the imported hub this hub gets. A setting is imported only if it was changed there and this hub still has the
 * default.
 */
export async function planSettings({ database }: Pick<ForeignHub, 'database'>, target: TransferTarget): Promise<SettingsPlan> {
  const current = await settingsOf(target.database, target.secrets).load()
  const row = [...foreignRows(database, '_params')].find((one) => foreignText(one, 'id') === 'settings')
  const stored = row === undefined ? {} : (foreignJson(row, 'value') ?? null)
  if (!isJsonObject(stored)) {
    const judged = [leftOut('they cannot be read: the other hub encrypts them with a key from its environment', 'settings')]
    return { judged, next: undefined, sendsMail: current.smtp.enabled }
  }
  let next = current
  const judged = settingOffers(stored).map(({ name, change, part }): RowJudgement => {
    const changed = change(current)
    if (changed === undefined) return leftOut('this hub cannot use the value', name)
    if (isDeepStrictEqual(part(changed), part(current))) return present
    if (!isDeepStrictEqual(part(current), part(defaultSettings))) return leftOut('this hub has its own', name)
    next = change(next) ?? next
    return { decision: 'taken', record: { id: name }, changes: [] }
  })
  return { judged: [...judged, ...missingFeatures(stored)], next: next === current ? undefined : next, sendsMail: next.smtp.enabled }
}

/** Stores the settings that an import plan gives this hub, with an audit log entry. Does nothing if the plan changes none. */
export async function saveSettings(target: TransferTarget, { next, judged }: SettingsPlan): Promise<void> {
  if (next === undefined) return
  const names = judged.flatMap((one) => (one.decision === 'taken' ? [one.record.id] : [])).join(', ')
  await settingsOf(target.database, target.secrets).save(next, (unit) =>
    noteInAudit(unit, target.clock.now(), { by: 'command line', action: 'update', target: 'settings', name: names }),
  )
}

const objectIn = (value: Json | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {})

/**
 * Default settings of a Beszel hub, by name. An imported setting that equals its default is left out, except the email sender of a hub that
 * has a mail server.
 */
const standard = {
  appName: 'Beszel',
  appURL: 'http://localhost:8090',
  sender: { senderName: 'Support', senderAddress: 'support@example.com' },
  mailHost: 'smtp.example.com',
  logs: { maxDays: 5, minLevel: 4, logIP: true, logAuthId: false },
}

function settingOffers(stored: JsonObject): readonly SettingOffer[] {
  const meta = objectIn(stored['meta'])
  return [
    ...metaOffer('application name', meta, { appName: standard.appName }),
    ...metaOffer('application address', meta, { appURL: standard.appURL }),
    // With a mail server, even the standard sender is a choice: it must be set.
    ...metaOffer('sender of mails', meta, objectIn(stored['smtp'])['enabled'] === true ? {} : standard.sender, [
      'senderName',
      'senderAddress',
    ]),
    ...mailOffer(objectIn(stored['smtp'])),
    ...backupsOffer(objectIn(stored['backups'])),
    ...rateLimitsOffer(objectIn(stored['rateLimits'])),
    ...proxyOffer(objectIn(stored['trustedProxy'])),
    ...logsOffer(objectIn(stored['logs'])),
  ]
}

type MetaField = keyof HubSettings['meta']

function metaOffer(
  name: string,
  meta: JsonObject,
  unchanged: Partial<HubSettings['meta']>,
  fields = Object.keys(unchanged) as MetaField[], // the keys of `unchanged`
): readonly SettingOffer[] {
  const given = fields.filter((field) => typeof meta[field] === 'string' && meta[field] !== '')
  if (given.every((field) => meta[field] === unchanged[field])) return []
  const values = Object.fromEntries(given.map((field) => [field, meta[field]]))
  const change = (settings: HubSettings): HubSettings | undefined => {
    const parsed = metaForm(false).safeParse({ ...settings.meta, ...values })
    return parsed.success ? { ...settings, meta: parsed.data } : undefined
  }
  return [{ name, change, part: (settings) => fields.map((field) => settings.meta[field]) }]
}

function mailOffer(smtp: JsonObject): readonly SettingOffer[] {
  const { enabled = false, host = '', tls = false } = smtp
  if (enabled !== true && (host === '' || host === standard.mailHost)) return []
  const form = smtpForm(enabled === true)
  const change = (settings: HubSettings): HubSettings | undefined => {
    const parsed = form.safeParse({ authMethod: '', ...smtp, encryption: tls === true ? 'tls' : 'auto' })
    return parsed.success ? { ...settings, smtp: parsed.data } : undefined
  }
  return [{ name: 'mail server', change, part: ({ smtp: part }) => part }]
}

function backupsOffer({ cron = '', cronMaxKeep = 3 }: JsonObject): readonly SettingOffer[] {
  if (cron === '' && cronMaxKeep === 3) return []
  const change = (settings: HubSettings): HubSettings | undefined => {
    const parsed = backupsForm.safeParse({ cron, cronMaxKeep })
    return parsed.success ? { ...settings, backups: parsed.data } : undefined
  }
  return [{ name: 'backup schedule', change, part: ({ backups }) => backups }]
}

function rateLimitsOffer(stored: JsonObject): readonly SettingOffer[] {
  const limits = { ...defaultSettings.rateLimits, ...stored }
  if (isDeepStrictEqual(limits, defaultSettings.rateLimits)) return []
  const change = (settings: HubSettings): HubSettings | undefined => {
    const parsed = rateLimitsForm(limits.enabled).safeParse(limits)
    return parsed.success ? { ...settings, rateLimits: parsed.data } : undefined
  }
  return [{ name: 'rate limits', change, part: ({ rateLimits }) => rateLimits }]
}

function logsOffer(stored: JsonObject): readonly SettingOffer[] {
  const logs = { ...standard.logs, ...stored }
  if (isDeepStrictEqual(logs, standard.logs)) return []
  const change = (settings: HubSettings): HubSettings | undefined => {
    const parsed = logSettingsForm.safeParse({ ...settings.logs, ...logs })
    return parsed.success ? { ...settings, logs: parsed.data } : undefined
  }
  return [{ name: 'log', change, part: ({ logs: part }) => part }]
}

/**
 * Returns the trusted proxy headers of the imported hub as a list with one setting that cannot be imported; empty if there are none. That
 * hub trusts the headers from every address, this one only from listed networks.
 */
function proxyOffer({ headers = [], useLeftmostIP = false }: JsonObject): readonly SettingOffer[] {
  const isUnchanged = Array.isArray(headers) && headers.length === 0 && useLeftmostIP === false
  return isUnchanged ? [] : [{ name: 'trusted proxies: name the networks of your proxies', change: () => undefined, part: () => undefined }]
}

/** Returns a decision "left out" for each feature, such as S3 storage, that is on in the imported hub and that Vedette does not have. */
function missingFeatures(stored: JsonObject): readonly RowJudgement[] {
  const backups = objectIn(stored['backups'])
  const addresses = stored['superuserIPs']
  return [
    ...(objectIn(backups['s3'])['enabled'] === true ? [leftOut('this hub stores backups on its own disk', 'S3 storage of backups')] : []),
    ...(objectIn(stored['s3'])['enabled'] === true ? [leftOut('this hub stores no files', 'S3 storage of files')] : []),
    ...(Array.isArray(addresses) && addresses.length > 0 ? [leftOut('this hub has no such limit', 'addresses of superusers')] : []),
  ]
}
