import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { BackupSettings } from '../operations/backups/schedule.ts'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { loadState, saveFields } from '../platform/db/hub-state.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { Log } from '../platform/log.ts'
import { startLoop } from '../platform/loop.ts'
import { defaultLogSettings, logSettingsForm, type LogSettings } from '../operations/logs/log-settings.ts'
import { defaultRateLimits, type RateLimits } from '../platform/limits/rate-rules.ts'
import { isJsonObject, parseJson } from '../platform/json.ts'
import { readableSecret } from '../platform/secrets/readable-secret.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import {
  backupsForm,
  defaultSmtp,
  metaForm,
  rateLimitsForm,
  smtpForm,
  type SmtpSettings,
  defaultTrustedProxy,
  trustedProxyFields,
  type TrustedProxySettings,
  readStored,
} from './settings-fields.ts'
import { flag, text } from '../records/model/field-errors.ts'

/** Settings of the hub that admins can change. The fixed ones, which clients also expect, are only in `settingsSchema`. */
export type HubSettings = {
  readonly meta: Readonly<z.infer<ReturnType<typeof metaForm>>>
  readonly smtp: SmtpSettings
  readonly batch: { readonly enabled: boolean }
  readonly backups: BackupSettings
  readonly logs: LogSettings
  readonly rateLimits: RateLimits
  readonly trustedProxy: TrustedProxySettings
}

export type Settings = {
  readonly load: () => Promise<HubSettings>
  /**
   * Stores the hub's settings and then calls the `follow` listeners with them. Before the commit it calls `along` with the same
   * transaction, for example to write the audit log.
   */
  readonly save: (settings: HubSettings, along: (unit: UnitOfWork) => Promise<void>) => Promise<void>
  /**
   * Calls the listener with the hub's current settings before it resolves, and after each saved change, also of another hub. There is no
   * way to stop it.
   */
  readonly follow: (listener: (settings: HubSettings) => void) => Promise<void>
  /** Loads the stored settings of the hub and calls the `follow` listeners with them. Called after another hub has changed the settings. */
  readonly reload: () => Promise<void>
}

/** Collection name of the event by which hubs learn of changed settings: `hub_settings`. There is no such table. */
export const SETTINGS = 'hub_settings'

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

/**
 * Loads the stored settings of the hub; a new hub has the defaults. `sql` is the connection of the database or of a transaction. A mail
 * password that is damaged, or was encrypted with another key, is `''`.
 */
export async function loadSettings(sql: Database['kysely'], secrets: SecretBox): Promise<HubSettings> {
  const text = await loadState(sql, STATE)
  return text === undefined ? defaultSettings : withDefaults(parseJson(text), (sealed) => readableSecret(secrets, PASSWORD, sealed))
}

/**
 * Stores the hub's settings in a transaction, with the mail server's password encrypted. Other running hubs reload them after the commit.
 */
export async function storeSettings(unit: UnitOfWork, secrets: SecretBox, { smtp, ...settings }: HubSettings): Promise<void> {
  const password = smtp.password === '' ? '' : secrets.seal(PASSWORD, smtp.password)
  await saveFields(unit.sql, STATE, { ...settings, smtp: { ...smtp, password } })
  unit.emit({ action: 'update', collection: SETTINGS, record: { id: STATE } })
}

/** Creates the functions that load, save and follow the hub's settings in the database. */
export function settingsOf(database: Database, secrets: SecretBox): Settings {
  const followers: ((settings: HubSettings) => void)[] = []
  const load = (): Promise<HubSettings> => loadSettings(database.kysely, secrets)
  return {
    load,
    async follow(listener) {
      listener(await load())
      followers.push(listener)
    },
    async save(settings, along) {
      await database.write(async (unit) => {
        await along(unit)
        await storeSettings(unit, secrets, settings)
      })
      for (const follower of followers) follower(settings)
    },
    async reload() {
      const settings = await load()
      for (const follower of followers) follower(settings)
    },
  }
}

type FollowParts = {
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly settings: Pick<Settings, 'reload'>
  readonly log: Log
  readonly retryMs?: number
}

/** Starts to reload the hub's settings whenever another hub has changed them; retries until that succeeds. Dispose the result to stop. */
export function followOtherHubs({ bus, settings, log, retryMs = 5000 }: FollowParts): AsyncDisposable {
  let isOutdated = false
  async function work(): Promise<undefined> {
    if (!isOutdated) return
    isOutdated = false
    try {
      await settings.reload()
    } catch (error) {
      isOutdated = true
      throw error
    }
  }
  const loop = startLoop({ work, retryMs, onError: (error) => log.error('changed settings not loaded', { error }) })
  const unsubscribe = bus.subscribe([SETTINGS], ({ hub }) => {
    if (hub === undefined) return
    isOutdated = true
    loop.wake()
  })
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe()
      await loop[Symbol.asyncDispose]()
    },
  }
}

function withDefaults(stored: Json, open: (sealed: string) => string): HubSettings {
  const { meta, smtp, batch, backups, logs, rateLimits, trustedProxy } = isJsonObject(stored) ? stored : {}
  const server = readStored(smtpForm(false), defaultSmtp, smtp)
  return {
    meta: readStored(metaForm(false), defaultSettings.meta, meta),
    smtp: { ...server, password: server.password === '' ? '' : open(server.password) },
    batch: readStored(z.object({ enabled: flag }), defaultSettings.batch, batch),
    backups: readStored(z.object({ ...backupsForm.shape, cron: text() }), defaultSettings.backups, backups),
    logs: readStored(logSettingsForm, defaultLogSettings, logs),
    rateLimits: readStored(rateLimitsForm(false), defaultRateLimits, rateLimits),
    trustedProxy: readStored(trustedProxyFields, defaultTrustedProxy, trustedProxy),
  }
}
