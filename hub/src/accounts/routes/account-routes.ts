import type { Route } from '../../http/routing/define-route.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import type { FirstRun } from '../first-run.ts'
import type { UniversalTokens } from '../universal-token.ts'
import { ownAccountRoutes } from './account.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { authRoutes, type HeaderPart } from './auth.ts'
import { createFirstUser, readFirstRun } from './first-run.ts'
import { mailedLinkRoutes } from './mailed-links.ts'
import { oldAdminRoutes } from './old-admins.ts'
import { requestCode, signInWithCode } from './one-time-codes.ts'
import { ownSettingsRoutes } from './own-settings.ts'
import { testProvider } from './provider-test.ts'
import { providerRoutes } from './providers.ts'
import { ownSecondFactorRoutes } from './second-factors/own.ts'
import { passkeyRoutes } from './second-factors/passkeys.ts'
import { peopleFactorRoutes } from './second-factors/people.ts'
import { setupRoutes } from './second-factors/setup.ts'
import { signInWithSecondFactor } from './second-factors/sign-in.ts'
import { changeUniversalToken } from './universal-token.ts'

export type AccountRouteParts = HeaderPart & {
  readonly engine: Engine
  readonly accounts: Accounts
  /**
   * Rate limiter for attempts to sign in with passwords and codes. Its `begin` counts an attempt by client network and account, and
   * resolves to a `SignInAttempt`.
   */
  readonly attempts: Attempts
  /**
   * Rate limiter for requests that send a link or code by email, separate from `attempts`. `begin` counts a request and resolves to a
   * `SignInAttempt`.
   */
  readonly requests: Attempts
  readonly realtime: Realtime
  readonly firstRun: FirstRun
  readonly universalTokens: UniversalTokens
  readonly log: Log
}

/**
 * List of all HTTP routes of accounts: first admin, sign-in, identity providers, links in emails, second factors and API keys. It also has
 * those of the signed-in user's own account and of the token with which agents register.
 */
export const accountRoutes: readonly Route<AccountRouteParts>[] = [
  readFirstRun,
  createFirstUser,
  ...authRoutes,
  ...providerRoutes,
  testProvider,
  requestCode,
  signInWithCode,
  signInWithSecondFactor,
  ...oldAdminRoutes,
  ...ownAccountRoutes,
  ...ownSettingsRoutes,
  ...ownSecondFactorRoutes,
  ...passkeyRoutes,
  ...setupRoutes,
  ...peopleFactorRoutes,
  ...apiKeyRoutes,
  ...mailedLinkRoutes,
  changeUniversalToken,
]
