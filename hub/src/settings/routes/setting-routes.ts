import type { Hono } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Arrivals } from '../../http/connections/arrivals.ts'
import type { Signed } from '../../http/requests/signed.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { settingsRoute } from './settings.ts'
import { signInWaysRoute } from './sign-in-ways.ts'

export type SettingRouteParts = { readonly engine: Engine; readonly accounts: Accounts; readonly arrivals: Arrivals }

/** The settings that admins change while the hub runs. */
export function settingRoutes({ engine, accounts, arrivals }: SettingRouteParts): readonly Hono<Signed>[] {
  return [settingsRoute(engine.clock, accounts, arrivals.namesProxies), signInWaysRoute(engine, accounts)]
}
