import { z } from 'zod'
import { languages, type Language, renderEmail } from '../../delivery/mail/email.ts'
import { emailContentOf, type Subject } from '../../delivery/mail/email-templates.ts'
import type { Compose, MailJob } from '../../delivery/mail/outbox.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { AttemptCounts } from '../../platform/limits/attempt-counts.ts'
import { isJsonObject } from '../../platform/json.ts'
import { asText, type StoredRecord, isAdmin, recordDate } from '../../records/model/stored-record.ts'
import type { Settings } from '../../settings/settings.ts'
import { mailLimits } from './mail-limits.ts'
import { mailedSeconds, type MailedTokens } from './mailed-token.ts'
import type { OneTimeCodes } from './one-time-code.ts'
import { signInCollectionOf, type SignInStore } from '../sessions/sign-in-settings.ts'

const language = z.enum(languages).optional()

/**
 * Schema of a queued email to a user. When a guest entered the address, the account is looked up only at sending time: the response must
 * not reveal whether it exists.
 */
const jobSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['password-reset', 'verification']), collection: z.string(), email: z.string(), language }),
  z.object({ kind: z.literal('otp'), collection: z.string(), email: z.string(), otpId: z.string(), language }),
  z.object({ kind: z.literal('email-change'), account: z.string(), newEmail: z.string(), language }),
  z.object({ kind: z.literal('login-alert'), account: z.string(), address: z.string(), browser: z.string(), atMs: z.number(), language }),
])

export type AccountMail = z.infer<typeof jobSchema>

/**
 * Map from kind of email, such as `otp`, to the time in seconds after which it is dropped from the queue if unsent. An email with a link
 * may wait as long as the link is valid.
 */
const lifetimeSeconds: Readonly<Record<AccountMail['kind'], number>> = {
  'password-reset': mailedSeconds.passwordReset,
  verification: mailedSeconds.verification,
  'email-change': mailedSeconds.emailChange,
  otp: 600,
  'login-alert': 86_400,
}

/**
 * Converts an email to a user to a job of the email queue: the email's data as JSON (`body`), and `lifetimeMs`. A job that is unsent after
 * that time in ms is dropped.
 */
export function mailJob(mail: AccountMail): MailJob {
  const body = JSON.parse(JSON.stringify(mail)) as MailJob['body'] // JSON.stringify gave this JSON
  return { body, lifetimeMs: lifetimeSeconds[mail.kind] * 1000 }
}

type Parts = {
  readonly engine: Engine
  readonly settings: Settings
  readonly signIn: SignInStore
  readonly tokens: MailedTokens
  readonly codes: OneTimeCodes
  readonly counts: AttemptCounts
  /** Base URL of this hub for links in emails, from the operator's options. `undefined`: the URL in the settings is used. */
  readonly appUrl: string | undefined
}

/**
 * Creates the function that renders a queued email to a user, in the user's language. It resolves to `undefined` if the email must not be
 * sent, such as beyond its rate limit. Each attempt renders it again with a new link or code; only the first counts for the limit.
 */
export function accountEmails(parts: Parts): Compose {
  const { engine, settings, appUrl } = parts
  const mayWrite = mailLimits(parts.counts)
  return async (body, isFirstTry) => {
    const mail = jobSchema.parse(body)
    const account = await recipientOf(engine, mail)
    if (account === undefined) return undefined
    // Anyone can request these emails, so they are limited.
    if ('email' in mail && isFirstTry && !(await mayWrite(mail.kind, account.id))) return undefined
    const { meta } = await settings.load()
    const subject = await subjectOf(parts, mail, { account, appName: meta.appName, base: (appUrl ?? meta.appURL).replace(/\/$/, '') })
    if (subject === undefined) return undefined
    const to = mail.kind === 'email-change' ? mail.newEmail : asText(account['email'] ?? '')
    return renderEmail(to, emailContentOf(await languageOf(engine, account, mail), subject))
  }
}

/**
 * Resolves to the account that receives an email. `undefined` if there is none, or if the email is for admins only and the account is not
 * one.
 */
async function recipientOf({ store, collections }: Engine, mail: AccountMail): Promise<StoredRecord | undefined> {
  if ('account' in mail) return store.load('users', mail.account)
  const [account] = await store.loadWhere('users', { email: mail.email })
  const onlyAdmins = collections.find(mail.collection)?.viewOf !== undefined
  return account === undefined || (onlyAdmins && !isAdmin(account)) ? undefined : account
}

type MailFacts = { readonly account: StoredRecord; readonly appName: string; readonly base: string }

/**
 * Resolves to the data for the template of an email to a user, including the link with a new token or a new code. `undefined` if the email
 * is no longer needed.
 */
async function subjectOf(
  { engine, signIn, tokens, codes }: Parts,
  mail: AccountMail,
  { account, appName, base }: MailFacts,
): Promise<Subject | undefined> {
  const collection = engine.collections.find('collection' in mail ? mail.collection : 'users')
  if (collection === undefined) return undefined
  switch (mail.kind) {
    case 'login-alert': {
      const { kind, address, browser, atMs } = mail
      return { kind, appName, at: `${recordDate(atMs).slice(0, 16)} UTC`, address, browser, url: `${base}/forgot-password` }
    }
    case 'email-change': {
      const { kind, newEmail } = mail
      return { kind, appName, newEmail, url: `${base}/change-email/${tokens.make('emailChange', { collection, account, newEmail })}` }
    }
    case 'otp': {
      const { otp } = (await signIn.load())[signInCollectionOf(collection.name)]
      const code = await codes.make({ otpId: mail.otpId, collection, account, length: otp.length })
      return { kind: 'otp', appName, code, lifetimeSeconds: otp.duration }
    }
    case 'password-reset':
      return { kind: mail.kind, appName, url: `${base}/reset-password/${tokens.make('passwordReset', { collection, account })}` }
    case 'verification': {
      if (account['verified'] === true) return undefined
      return { kind: mail.kind, appName, url: `${base}/verify-email/${tokens.make('verification', { collection, account })}` }
    }
  }
}

/**
 * Resolves to the language of an email to an account: its setting `language`, else the language of the request that queued the email, else
 * English.
 */
async function languageOf({ store }: Engine, { id }: StoredRecord, mail: AccountMail): Promise<Language> {
  const [row] = await store.loadWhere('user_settings', { user: id })
  const chosen = row?.['settings'] ?? null
  const own = isJsonObject(chosen) ? languages.find((one) => one === chosen['language']) : undefined
  return own ?? mail.language ?? 'en'
}
