import type { Hono } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import type { RequestAdmission } from '../../http/connections/request-admission.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { settingsRoute } from './settings.ts'
import { signInWaysRoute } from './sign-in-ways.ts'

export type SettingRouteParts = { readonly engine: Engine; readonly accounts: Accounts; readonly admission: RequestAdmission }

/** The settings that admins change while the hub runs. */
export function settingRoutes({ engine, accounts, admission }: SettingRouteParts): readonly Hono<RequestContext>[] {
  return [settingsRoute(engine.clock, accounts, admission.namesProxies), signInWaysRoute(engine, accounts)]
}
