import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { ownValue } from '@vedette/protocol/own-value'
import { z } from 'zod'
import { loadSignIn, needsMailedCodes } from '../../accounts/sessions/sign-in-settings.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { noteChangedSettings, refuseMailLockout, settingsAsJson } from '../../settings/saved-settings.ts'
import { changedSettings } from '../../settings/settings-form.ts'
import { settingsSchema } from '../../settings/settings-schema.ts'
import { storeSettings, type HubSettings } from '../../settings/settings.ts'
import { NO_SECRETS, secretReference } from './config-fields.ts'
import { problemsIn, type ConfigPath, type ConfigProblem } from './config-problem.ts'

const { meta, smtp, batch, backups, logs, rateLimits, trustedProxy } = settingsSchema.shape

/** Schema of the hub's settings in a configuration file. Settings that the file lacks stay as they are. */
export const configSettingsForm = z
  .strictObject({
    meta: meta.pick({ appName: true, appURL: true, senderName: true, senderAddress: true }).partial().strict(),
    smtp: smtp
      .omit({ tls: true })
      .extend({ password: z.union([z.literal(''), ...secretReference.options], { error: NO_SECRETS }) })
      .partial()
      .strict(),
    batch: batch.pick({ enabled: true }).partial().strict(),
    backups: backups.omit({ s3: true }).partial().strict(),
    logs: logs.partial().strict(),
    rateLimits: rateLimits.partial().strict(),
    trustedProxy: trustedProxy.partial().strict(),
  })
  .partial()
  .describe('Settings of the hub, as in the back-office. Without a value, nothing changes.')

/**
 * Hub's settings in a configuration file: map from section (such as `smtp`) to an object of settings by name. The mail server's password is
 * a reference to a secret, or the secret itself after references were resolved.
 */
export type ConfigSettings = Readonly<Record<string, JsonObject>>

/**
 * Path of the mail server's password in a configuration file, as list of names: `settings.smtp.password`. Errors and references to secrets
 * use it.
 */
const PASSWORD_PATH: ConfigPath = ['settings', 'smtp', 'password']

/**
 * Returns a copy of a configuration file's settings in which `change` has replaced the password of the mail server. That function gets the
 * current value and its path. Without a password, or with an empty one, the settings stay unchanged.
 */
export function withPassword(settings: ConfigSettings, change: (password: Json, path: ConfigPath) => Json): ConfigSettings {
  const mail = ownValue(settings, 'smtp')
  const password = mail?.['password']
  if (mail === undefined || password === undefined || password === '') return settings
  return { ...settings, smtp: { ...mail, password: change(password, PASSWORD_PATH) } }
}

/**
 * Setting of the hub whose value in a configuration file (`after`) differs from the stored one (`before`). `path` is its path in the file;
 * `isSecret` hides both values in output. `before` is `undefined` for a new entry of a list, `after` for a removed one.
 */
export type SettingDifference = {
  readonly path: ConfigPath
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly isSecret: boolean
}

/**
 * Result of comparing the hub's settings in a configuration file with the stored ones. It has the settings `before` and `after` the change,
 * the differences, and the errors in the file. Nothing is stored yet.
 */
export type ConfigSettingsPlan = {
  readonly before: HubSettings
  readonly after: HubSettings
  readonly differences: readonly SettingDifference[]
  readonly problems: readonly ConfigProblem[]
}

/**
 * Compares the settings in a configuration file with `before`, the stored settings, and returns the plan with differences and errors. It
 * makes the same checks as the settings API, and changes nothing.
 */
export function planConfigSettings(before: HubSettings, file: ConfigSettings): ConfigSettingsPlan {
  try {
    // Proxies that the operator of the running hub names are not known here.
    const after = changedSettings(before, file, true)
    return { before, after, differences: differencesOf(settingsAsJson(before), settingsAsJson(after)), problems: [] }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return { before, after: before, differences: [], problems: problemsIn(error.data, ['settings']) }
  }
}

function differencesOf(before: ConfigSettings, after: ConfigSettings): readonly SettingDifference[] {
  return Object.entries(after).flatMap(([part, values]) =>
    Object.entries(values).flatMap(([name, value]): SettingDifference[] => {
      const known = ownValue(ownValue(before, part) ?? {}, name) ?? ''
      const path = ['settings', part, name]
      const isSecret = path.join('.') === PASSWORD_PATH.join('.')
      return JSON.stringify(known) === JSON.stringify(value) ? [] : [{ path, before: known, after: value, isSecret }]
    }),
  )
}

/**
 * Stores the settings of a plan in a transaction, with an audit log entry. Resolves to the errors that name wrong settings of the
 * configuration file; if there are any, nothing was stored.
 */
export async function applySettings(
  { secrets, clock }: Pick<Engine, 'secrets' | 'clock'>,
  unit: UnitOfWork,
  { before, after, differences }: ConfigSettingsPlan,
): Promise<readonly ConfigProblem[]> {
  if (differences.length === 0) return []
  try {
    refuseMailLockout(before, after, needsMailedCodes(await loadSignIn(unit.sql)))
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return problemsIn(error.data, ['settings'])
  }
  await noteChangedSettings(unit, clock.now(), { by: 'command line', before, after })
  await storeSettings(unit, secrets, after)
  return []
}
