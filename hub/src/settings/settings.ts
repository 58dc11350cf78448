import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Database } from '../db/database.ts'
import { isJsonObject, parseJson } from '../records/json-value.ts'

/** What admins set for the whole hub, as clients know it; the rest of what clients know is fixed. */
export type HubSettings = {
  readonly meta: { readonly appName: string; readonly appURL: string }
  readonly batch: { readonly enabled: boolean }
}

export type Settings = {
  readonly load: () => Promise<HubSettings>
  readonly save: (settings: HubSettings) => Promise<void>
}

export const defaultSettings: HubSettings = {
  meta: { appName: 'Vedette', appURL: 'http://localhost:8090' },
  batch: { enabled: true },
}

const STATE = 'settings'

/** Settings as the database has them; a hub that was never told anything has the defaults. */
export function settingsOf(database: Database): Settings {
  return {
    async load() {
      const row = await database.kysely.selectFrom('hub_state').select('value').where('name', '=', STATE).executeTakeFirst()
      return row === undefined ? defaultSettings : withDefaults(parseJson(row.value))
    },
    async save(settings) {
      const value = JSON.stringify(settings)
      await database.write(async ({ sql }) => {
        await sql
          .insertInto('hub_state')
          .values({ name: STATE, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute()
      })
    },
  }
}

function withDefaults(stored: Json): HubSettings {
  const { meta = {}, batch = {} } = isJsonObject(stored) ? stored : {}
  const { appName, appURL } = isJsonObject(meta) ? meta : {}
  const { enabled } = isJsonObject(batch) ? batch : {}
  return {
    meta: {
      appName: typeof appName === 'string' ? appName : defaultSettings.meta.appName,
      appURL: typeof appURL === 'string' ? appURL : defaultSettings.meta.appURL,
    },
    batch: { enabled: typeof enabled === 'boolean' ? enabled : defaultSettings.batch.enabled },
  }
}
