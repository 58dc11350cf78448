import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { BackupSettings } from '../operations/backups/schedule.ts'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { loadState, saveState } from '../platform/db/hub-state.ts'
import { authMethods, defaultSmtp, encryptions, type SmtpSettings } from './smtp-settings.ts'
import { defaultLogSettings, type LogSettings } from '../operations/logs/log-settings.ts'
import { defaultRateLimits, type RateLimits } from '../platform/limits/rate-rules.ts'
import { isJsonObject, parseJson } from '../records/model/json-value.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import { storedLogSettings } from './log-settings-form.ts'
import { storedRateLimits } from './rate-limits-form.ts'
import { defaultTrustedProxy, storedTrustedProxy, type TrustedProxySettings } from './trusted-proxy-form.ts'

/** What admins set for the whole hub, as clients know it; the rest of what clients know is fixed. */
export type HubSettings = {
  readonly meta: { readonly appName: string; readonly appURL: string; readonly senderName: string; readonly senderAddress: string }
  readonly smtp: SmtpSettings
  readonly batch: { readonly enabled: boolean }
  readonly backups: BackupSettings
  readonly logs: LogSettings
  readonly rateLimits: RateLimits
  readonly trustedProxy: TrustedProxySettings
}

export type Settings = {
  readonly load: () => Promise<HubSettings>
  /** `along` is done in the same transaction. */
  readonly save: (settings: HubSettings, along: (unit: UnitOfWork) => Promise<void>) => Promise<void>
  /** Calls the listener now, and after each change that is saved. */
  readonly follow: (listener: (settings: HubSettings) => void) => Promise<void>
}

export const defaultSettings: HubSettings = {
  meta: { appName: 'Vedette', appURL: 'http://localhost:8090', senderName: 'Vedette', senderAddress: '' },
  smtp: defaultSmtp,
  batch: { enabled: true },
  backups: { cron: '', cronMaxKeep: 3 },
  logs: defaultLogSettings,
  rateLimits: defaultRateLimits,
  trustedProxy: defaultTrustedProxy,
}

const STATE = 'settings'
const PASSWORD = 'settings.smtp.password'

/** Settings as the database has them; a hub that was never told anything has the defaults. */
export function settingsOf(database: Database, secrets: SecretBox): Settings {
  /** The password of the mail server is stored sealed. */
  const withoutSecrets = ({ smtp, ...settings }: HubSettings): object => ({
    ...settings,
    smtp: { ...smtp, password: smtp.password === '' ? '' : secrets.seal(PASSWORD, smtp.password) },
  })
  const followers: ((settings: HubSettings) => void)[] = []
  async function load(): Promise<HubSettings> {
    const text = await loadState(database.kysely, STATE)
    return text === undefined ? defaultSettings : withDefaults(parseJson(text), (sealed) => secrets.open(PASSWORD, sealed))
  }
  return {
    load,
    async follow(listener) {
      listener(await load())
      followers.push(listener)
    },
    async save(settings, along) {
      const value = JSON.stringify(withoutSecrets(settings))
      await database.write(async (unit) => {
        await along(unit)
        await saveState(unit.sql, STATE, value)
      })
      for (const follower of followers) follower(settings)
    },
  }
}

function withDefaults(stored: Json, open: (sealed: string) => string): HubSettings {
  const part = (name: string): JsonObject => {
    const value = isJsonObject(stored) ? ownValue(stored, name) : undefined
    return value !== undefined && isJsonObject(value) ? value : {}
  }
  const { enabled } = part('batch')
  const { cron, cronMaxKeep } = part('backups')
  return {
    meta: textsOr(defaultSettings.meta, part('meta')),
    smtp: storedSmtp(part('smtp'), open),
    batch: { enabled: typeof enabled === 'boolean' ? enabled : defaultSettings.batch.enabled },
    backups: {
      cron: typeof cron === 'string' ? cron : defaultSettings.backups.cron,
      cronMaxKeep: typeof cronMaxKeep === 'number' ? cronMaxKeep : defaultSettings.backups.cronMaxKeep,
    },
    logs: storedLogSettings(part('logs')),
    rateLimits: storedRateLimits(part('rateLimits')),
    trustedProxy: storedTrustedProxy(part('trustedProxy')),
  }
}

function storedSmtp(stored: JsonObject, open: (sealed: string) => string): SmtpSettings {
  const { port, encryption, authMethod, enabled } = stored
  const { host, username, password, localName } = defaultSmtp
  const texts = textsOr({ host, username, password, localName }, stored)
  return {
    ...texts,
    enabled: enabled === true,
    port: typeof port === 'number' ? port : defaultSmtp.port,
    encryption: encryptions.find((one) => one === encryption) ?? defaultSmtp.encryption,
    authMethod: authMethods.find((one) => one === authMethod) ?? defaultSmtp.authMethod,
    password: texts.password === '' ? '' : open(texts.password),
  }
}

/** The stored texts of the names there are, the others as they are without. */
function textsOr<T extends { readonly [name: string]: string }>(standard: T, stored: JsonObject): T {
  const texts = Object.entries(standard).map(([name, text]) => {
    const value = ownValue(stored, name)
    return [name, typeof value === 'string' ? value : text]
  })
  return Object.fromEntries(texts) as T // the same names, each with a text
}
