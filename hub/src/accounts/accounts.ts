import type { AttemptCounts } from '../platform/limits/attempt-counts.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { Log } from '../platform/log.ts'
import { startDelivery, type Delivery, outboxOf } from '../delivery/mail/outbox.ts'
import type { Engine } from '../records/engine/engine.ts'
import { followOtherHubs, settingsOf, type Settings } from '../settings/settings.ts'
import type { Attempts } from './attempts.ts'
import { apiKeys, type ApiKeys } from './api-keys/api-keys.ts'
import { authOf, type Auth } from './auth.ts'
import { accountEmails, mailJob, type AccountMail } from './mailed/mail-jobs.ts'
import { mailedTokens, type MailedTokens } from './mailed/mailed-token.ts'
import { oneTimeCodes, type OneTimeCodes } from './mailed/one-time-code.ts'
import { askProvider, type AskProvider } from './providers/ask-provider.ts'
import { providerStore, type ProviderStore } from './providers/providers.ts'
import { authenticatorApps, type AuthenticatorApps } from './second-factors/authenticator-apps.ts'
import { passkeysOf, type Passkeys } from './second-factors/passkeys.ts'
import { openSessions, type Sessions } from './sessions/sessions.ts'
import { signInStore, type SignInOverrides, type SignInStore } from './sessions/sign-in-settings.ts'

/**
 * Services for user accounts, one per property: sign-in and its settings, sessions, API keys and second factors. It also has links in
 * emails, one-time codes, identity providers and email.
 */
export type Accounts = {
  readonly auth: Auth
  readonly settings: Settings
  readonly ways: SignInStore
  readonly tokens: MailedTokens
  readonly codes: OneTimeCodes
  readonly sessions: Sessions
  readonly apiKeys: ApiKeys
  readonly apps: AuthenticatorApps
  readonly passkeys: Passkeys
  /**
   * Public URL of this hub from the operator's option `VEDETTE_APP_URL`. Passkeys then work only at this URL. `undefined`: passkeys use the
   * URL of the request.
   */
  readonly appUrl: string | undefined
  readonly providers: ProviderStore
  readonly askProvider: AskProvider
  readonly delivery: Delivery
  /** Function that resolves to true when a mail server is configured, so that the hub can send email. */
  readonly sendsMail: () => Promise<boolean>
  /** Queues an email to a user and resolves when it is queued. Drops it when no mail server is configured or the queue is full. */
  readonly write: (mail: AccountMail) => Promise<void>
  readonly close: () => Promise<void>
}

export type AccountsParts = {
  readonly engine: Engine
  readonly bus: EventBus
  readonly counts: AttemptCounts
  readonly attempts: Attempts
  /** Base URL of this hub for links in emails, from the operator's options. `undefined`: the URL in the settings is used. */
  readonly appUrl: string | undefined
  readonly overrides: SignInOverrides
  /**
   * True if the operator's option lets a user's first sign-in at an identity provider create an account, whatever the admins' setting is.
   * False if only that setting decides.
   */
  readonly createUsers: boolean
  readonly log: Log
}

export async function openAccounts(parts: AccountsParts): Promise<Accounts> {
  const { engine, bus, counts, attempts, appUrl, overrides, createUsers, log } = parts
  const { database, secrets, clock } = engine
  const settings = settingsOf(database, secrets)
  const following = followOtherHubs({ bus, settings, log })
  const ways = signInStore(database, overrides)
  const sessions = await openSessions({ database, clock, bus })
  const tokens = mailedTokens(engine)
  const codes = oneTimeCodes(engine, counts)
  const compose = accountEmails({ engine, settings, signIn: ways, tokens, codes, counts, appUrl })
  const delivery = startDelivery({ outbox: outboxOf(engine), database, settings, compose, clock, log })
  const sendsMail = async (): Promise<boolean> => (await settings.load()).smtp.enabled
  async function write(mail: AccountMail): Promise<void> {
    if (await sendsMail()) await delivery.post(mailJob(mail))
  }
  const providers = providerStore(database, secrets, createUsers)
  const keys = apiKeys({ ...engine, log })
  const passkeys = passkeysOf({ database, secrets, clock, log })
  const apps = authenticatorApps({ database, secrets, clock, counts })
  const auth = authOf({ engine, attempts, ways, sessions, apps, passkeys, apiKeys: keys, write })
  return {
    auth,
    settings,
    ways,
    tokens,
    codes,
    sessions,
    apiKeys: keys,
    apps,
    passkeys,
    appUrl,
    providers,
    askProvider: askProvider(clock),
    delivery,
    sendsMail,
    write,
    async close() {
      await following[Symbol.asyncDispose]()
      sessions.close()
      await delivery.close()
    },
  }
}
