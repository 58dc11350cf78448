import type { Accounts } from '../../accounts/accounts.ts'
import type { Route } from '../../http/routing/define-route.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { changeSettings, readSettings, sendTestEmail } from './settings.ts'
import { changeSignInWays, readCollection } from './sign-in-ways.ts'

export type SettingRouteParts = {
  readonly engine: Engine
  readonly accounts: Accounts
  readonly admission: { readonly namesProxies: boolean }
}

/** List of the routes by which admins read and change settings while the hub runs. */
export const settingRoutes: readonly Route<SettingRouteParts>[] = [
  readSettings,
  changeSettings,
  sendTestEmail,
  readCollection,
  changeSignInWays,
]
