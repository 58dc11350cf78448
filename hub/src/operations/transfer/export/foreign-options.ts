import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Provider, ProviderSettings } from '../../../accounts/providers/providers.ts'
import { signInForm, type SignInWays } from '../../../accounts/sessions/sign-in-settings.ts'
import { randomId } from '../../../platform/secrets/random-id.ts'
import type { HubSettings } from '../../../settings/settings.ts'

const SECRET_LENGTH = 50
const HALF_HOUR = 1800
const DAY = 86_400

const token = (duration: number): JsonObject => ({ secret: randomId(SECRET_LENGTH), duration })

const mail = (subject: string, sentence: string): JsonObject => ({ subject, body: `<p>${sentence}</p>` })
const link = (page: string, text: string): string => `<a href="{APP_URL}/_/#/auth/${page}/{TOKEN}">${text}</a>`

type AuthOptions = {
  readonly ways: SignInWays
  /** Duration of a session in seconds, for accounts of the exported collection, such as `users`, at the hub that opens the export. */
  readonly sessionSeconds: number
  /** Filter that an account must match to sign in at the hub that opens the export; `''` for none. */
  readonly authRule: string
  readonly oauth2: JsonObject
}

/**
 * Returns the value of the column `options` for an exported collection of accounts. All secrets that sign tokens are new, so that no
 * existing session is valid in the exported data.
 */
export function authOptions({ ways, sessionSeconds, authRule, oauth2 }: AuthOptions): JsonObject {
  const { passwordAuth, otp, mfa, authAlert } = signInForm(ways)
  return {
    authRule,
    manageRule: null,
    authAlert: { ...authAlert, emailTemplate: mail('New sign-in to {APP_NAME}', 'Your account was used from a new place: {ALERT_INFO}') },
    oauth2,
    passwordAuth,
    mfa,
    otp: { ...otp, emailTemplate: mail('Code for {APP_NAME}', 'Your code is <strong>{OTP}</strong>.') },
    authToken: token(sessionSeconds),
    passwordResetToken: token(HALF_HOUR),
    emailChangeToken: token(HALF_HOUR),
    verificationToken: token(DAY),
    fileToken: token(180),
    verificationTemplate: mail('Confirm your address for {APP_NAME}', link('confirm-verification', 'Confirm the address')),
    resetPasswordTemplate: mail('New password for {APP_NAME}', link('confirm-password-reset', 'Choose a new password')),
    confirmEmailChangeTemplate: mail('New address for {APP_NAME}', link('confirm-email-change', 'Confirm the new address')),
  }
}

/** Names of the identity providers, `google` and `github`, whose URLs a Beszel hub knows by itself. Others need URLs in its settings. */
const wellKnown: readonly Provider['name'][] = ['google', 'github']

/**
 * Returns true for an identity provider that a Beszel hub can use after the export: it knows the URLs of Google and GitHub, but does not
 * discover those of other providers.
 */
export const isPortableProvider = ({ name }: Provider): boolean => wellKnown.includes(name)

/**
 * Returns the OAuth2 settings of the exported collection `users`, with the client secrets of those providers that the other hub can use.
 */
export function oauth2Options({ enabled, providers }: ProviderSettings): JsonObject {
  const portable = providers.filter(isPortableProvider).map(({ name, displayName, clientId, clientSecret }) => ({
    pkce: null,
    name,
    clientId,
    clientSecret,
    authURL: '',
    tokenURL: '',
    userInfoURL: '',
    displayName,
    extra: null,
  }))
  return {
    providers: portable,
    mappedFields: { id: '', name: 'name', username: '', avatarURL: 'avatar' },
    enabled: enabled && portable.length > 0,
  }
}

/** Value of the OAuth2 settings for an exported collection of accounts that has no identity providers: OAuth2 is off. */
export const noOauth2: JsonObject = { providers: null, mappedFields: { id: '', name: '', username: '', avatarURL: '' }, enabled: false }

const noBucket = { enabled: false, bucket: '', region: '', endpoint: '', accessKey: '', forcePathStyle: false }
const BATCH_SECONDS = 3
const BATCH_REQUESTS = 50

/**
 * Converts this hub's settings to the row `settings` of the exported table `_params`. It contains the mail server's password as plain text.
 * Batch requests are always on; networks of trusted proxies are left out.
 */
export function settingsParam({ meta, smtp, backups, logs, rateLimits, trustedProxy }: HubSettings): JsonObject {
  const { host, port, username, password, authMethod, encryption, localName, enabled } = smtp
  return {
    smtp: {
      enabled,
      port,
      host,
      username,
      password,
      authMethod: authMethod === 'CRAM-MD5' ? '' : authMethod,
      tls: encryption === 'tls',
      localName,
    },
    backups: { cron: backups.cron, cronMaxKeep: backups.cronMaxKeep, s3: noBucket },
    s3: noBucket,
    meta: { accentColor: '#1055c9', ...meta, hideControls: true },
    rateLimits: {
      rules: rateLimits.rules.map((rule) => ({ ...rule })),
      excludedIPs: [...rateLimits.excludedIPs],
      enabled: rateLimits.enabled,
    },
    trustedProxy: { headers: [...trustedProxy.headers], useLeftmostIP: trustedProxy.useLeftmostIP },
    batch: { enabled: true, maxRequests: BATCH_REQUESTS, timeout: BATCH_SECONDS, maxBodySize: 0 },
    logs: { maxDays: logs.maxDays, minLevel: logs.minLevel, logIP: logs.logIP, logAuthId: logs.logAuthId },
    superuserIPs: [],
  }
}
