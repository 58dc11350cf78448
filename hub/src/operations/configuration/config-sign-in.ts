import { z } from 'zod'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { loadProviders, providersForm, providerNames, type ProviderSettings } from '../../accounts/providers/providers.ts'
import { loadSignIn, signInForm, type SignInSettings, type SignInWays } from '../../accounts/sessions/sign-in-settings.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { NO_SECRETS, secretReference } from './config-fields.ts'
import type { ConfigPath } from './config-problem.ts'

const enabled = z.strictObject({ enabled: z.boolean() }).partial()

const waysSchema = z
  .strictObject({
    passwordAuth: enabled.describe('Sign-in with a password.'),
    otp: z
      .strictObject({
        enabled: z.boolean(),
        duration: z.number().describe('Lifetime of a code in seconds.'),
        length: z.number().describe('Digits of a code.'),
      })
      .partial()
      .describe('Sign-in with codes that the hub mails.'),
    mfa: z
      .strictObject({ enabled: z.boolean(), duration: z.number().describe('Seconds between the two factors.') })
      .partial()
      .describe('A mailed code besides the password.'),
    secondFactor: z.strictObject({ required: z.boolean() }).partial().describe('Requires an authenticator app or a passkey.'),
    authAlert: enabled.describe('Emails about sign-ins from new places.'),
  })
  .partial()

const providerSchema = z.strictObject({
  name: z.enum(providerNames).describe('Kind of the provider; each can be set up once.'),
  displayName: z.string().describe('Label of the button on the sign-in page.').optional(),
  issuer: z.string().describe('Address of the provider, with https.').optional(),
  clientId: z.string().optional(),
  clientSecret: z.union([...secretReference.options], { error: NO_SECRETS }).optional(),
  groupsClaim: z.string().describe("Claim that lists a person's groups. GitHub has none.").optional(),
})

/** Schema of the ways to sign in in a configuration file. Values that the file lacks stay as they are. */
export const configSignInForm = z
  .strictObject({
    users: waysSchema.describe('Ways in which users sign in.'),
    admins: waysSchema.describe('Ways in which admins sign in to the back-office.'),
    oauth2: z
      .strictObject({ enabled: z.boolean(), createUsers: z.boolean().describe('The first sign-in of a person creates an account.') })
      .partial(),
    providers: z.array(providerSchema).describe('Identity providers, in the order of their buttons.'),
  })
  .partial()
  .describe('Ways to sign in, as in the back-office. Without a value, nothing changes.')

/**
 * Identity provider in a configuration file: its `name`, and the values that the file sets. The client secret is a reference to a secret,
 * or the secret itself after references were resolved.
 */
export type ConfigProvider = JsonObject & { readonly name: string }

/**
 * Part `signIn` of a configuration file, after its schema was checked: methods of users and of admins, and identity providers. Parts that
 * the file lacks are `undefined`.
 */
export type ConfigSignIn = {
  readonly users?: JsonObject | undefined
  readonly admins?: JsonObject | undefined
  readonly oauth2?: JsonObject | undefined
  readonly providers?: readonly ConfigProvider[] | undefined
}

/**
 * Stored ways to sign in. `ways`: methods of users and of admins, such as password and second factor; `oauth2`: identity providers with
 * their client secrets.
 */
export type StoredSignIn = { readonly ways: SignInSettings; readonly oauth2: ProviderSettings }

/**
 * Loads the ways to sign in as admins stored them. `sql` is the connection of the database or of a transaction. A client secret that
 * another key encrypted, as in a restored database, is loaded as `''`.
 */
export const loadStoredSignIn = async (sql: Database['kysely'], secrets: SecretBox): Promise<StoredSignIn> => ({
  ways: await loadSignIn(sql),
  oauth2: await loadProviders(sql, secrets),
})

/**
 * Converts the sign-in methods (password, one-time code, second factor, …) of users or of admins to the object that a configuration file
 * has for them.
 */
export function configWays(ways: SignInWays) {
  const { passwordAuth, otp, mfa, secondFactor, authAlert } = signInForm(ways)
  return {
    passwordAuth: { enabled: passwordAuth.enabled },
    otp,
    mfa: { enabled: mfa.enabled, duration: mfa.duration },
    secondFactor,
    authAlert,
  }
}

/**
 * Converts the stored ways to sign in to the part `signIn` of an exported configuration file. Each client secret becomes a reference such
 * as `{ env: SIGN_IN_GITHUB_SECRET }`.
 */
export function exportedSignIn({ ways, oauth2 }: StoredSignIn): ConfigSignIn {
  const form = providersForm(oauth2)
  const providers = form.providers.map((provider) => ({
    ...provider,
    clientSecret: { env: `SIGN_IN_${provider.name.toUpperCase()}_SECRET` },
  }))
  return {
    users: configWays(ways.users),
    admins: configWays(ways._superusers),
    oauth2: { enabled: form.enabled, createUsers: form.createUsers },
    providers,
  }
}

/**
 * Returns a copy of the part `signIn` of a configuration file in which `change` has replaced each client secret. That function gets the
 * current value (reference) and its path in the file.
 */
export function withProviderSecrets(signIn: ConfigSignIn, change: (reference: Json, path: ConfigPath) => Json): ConfigSignIn {
  if (signIn.providers === undefined) return signIn
  const providers = signIn.providers.map((provider, at) => {
    const reference = provider['clientSecret']
    if (reference === undefined) return provider
    return { ...provider, clientSecret: change(reference, ['signIn', 'providers', at, 'clientSecret']) }
  })
  return { ...signIn, providers }
}
