import type { Hono } from 'hono'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import type { FirstRun } from '../first-run.ts'
import type { UniversalTokens } from '../universal-token.ts'
import { accountRoute } from './account.ts'
import { authByMailRoute } from './auth-by-mail.ts'
import { authRoute } from './auth.ts'
import { firstRunRoute } from './first-run.ts'
import { oldAdminsRoute } from './old-admins.ts'
import { oneTimeCodesRoute } from './one-time-codes.ts'
import { ownSettingsRoute } from './own-settings.ts'
import { providerTestRoute } from './provider-test.ts'
import { providersRoute } from './providers.ts'
import { universalTokenRoute } from './universal-token.ts'

export type AccountRouteParts = {
  readonly engine: Engine
  readonly accounts: Accounts
  readonly attempts: Attempts
  /** Letters that were asked for, counted apart from passwords that were tried. */
  readonly requests: Attempts
  readonly realtime: Realtime
  readonly firstRun: FirstRun
  readonly universalTokens: UniversalTokens
  readonly log: Log
}

/** Signing in, in every way; one's own account; tokens that let agents in. */
export function accountRoutes(parts: AccountRouteParts): readonly Hono<RequestContext>[] {
  const { engine, accounts, log } = parts
  return [
    firstRunRoute(parts),
    authRoute(engine, accounts, log),
    providersRoute(parts),
    providerTestRoute(accounts),
    oneTimeCodesRoute(parts),
    oldAdminsRoute({ ...parts, auth: accounts.auth }),
    accountRoute(parts),
    ownSettingsRoute(engine),
    authByMailRoute(parts),
    universalTokenRoute(parts.universalTokens),
  ]
}
