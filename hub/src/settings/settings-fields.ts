import { ownValue } from '@vedette/protocol/own-value'
import type { JsonObject, Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { isSchedule } from '../operations/backups/schedule.ts'
import { text, wholeNumberBetween, flag, checkedValue, invalid, oneOf, refusedWith, isWhole } from '../records/model/field-errors.ts'
import { blank, isEmail } from '../records/model/field-check.ts'
import type { FieldError } from '../records/model/record-error.ts'
import { isRateLabel } from '../platform/limits/rate-rules.ts'
import { isNetwork } from '../platform/network/networks.ts'
import { isJsonObject } from '../platform/json.ts'

const MAX_TEXTS = 1000

/**
 * Returns a schema for a list of at most 1,000 texts in the settings. Texts are trimmed and empty ones dropped; for the first text for
 * which `isGood` returns false, it fails with the error that `problem` makes.
 */
const textList = (isGood: (text: string) => boolean, problem: (text: string) => FieldError) =>
  checkedValue<readonly string[]>((list) => {
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return invalid('Must be a list of texts.')
    if (list.length > MAX_TEXTS) return { code: 'validation_length_too_long', message: `At most ${MAX_TEXTS}.` }
    const wrong = trimmed(list).find((one) => !isGood(one))
    return wrong === undefined ? undefined : problem(wrong)
  }).transform(trimmed)

const trimmed = (list: readonly string[]): readonly string[] => list.map((one) => one.trim()).filter((one) => one !== '')

const isHeader = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)

const networkList = textList(isNetwork, (network) => ({
  code: 'validation_invalid_subnet',
  message: `"${network}" is not an address or a network such as 10.0.0.0/8.`,
}))

const notSchedule = { code: 'validation_invalid_cron', message: 'Must be a cron expression of five fields, such as 0 4 * * *.' }

export const backupsForm = z.object({
  cron: text((cron) => (cron.trim() === '' || isSchedule(cron.trim()) ? undefined : notSchedule)).transform((cron) => cron.trim()),
  cronMaxKeep: wholeNumberBetween(1, 1000),
})

const notEmail: FieldError = { code: 'validation_is_email', message: 'Must be a valid email address.' }
const notUrl: FieldError = { code: 'validation_is_url', message: 'Must be a valid http or https address.' }

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** Returns the form schema of the hub's name, its URL, and the sender of its emails. With `needsSender` the sender is required. */
export const metaForm = (needsSender: boolean) =>
  z.object({
    appName: text((name) => (name === '' ? blank : undefined)),
    appURL: text((url) => (url === '' ? blank : isWebAddress(url) ? undefined : notUrl)),
    senderName: text((name) => (needsSender && name === '' ? blank : undefined)),
    senderAddress: text((address) => {
      if (address === '') return needsSender ? blank : undefined
      return isEmail(address) ? undefined : notEmail
    }),
  })

const MAX_RULES = 100

const notLabel = invalid(
  'Must be a path such as /api/ or POST /api/batch, or a collection and what is done with it, such as systems:list or *:auth.',
)
const tooMany = refusedWith({ code: 'validation_length_too_long', message: `At most ${MAX_RULES} rules.` })
const twice = refusedWith({
  code: 'validation_conflicting_rate_limit_rule',
  message: 'There is already a rule for this label and audience.',
})

const rule = z.object({
  label: checkedValue<string>((label) => (typeof label !== 'string' || label === '' ? blank : isRateLabel(label) ? undefined : notLabel)),
  audience: oneOf(['', '@guest', '@auth']).default(''),
  maxRequests: wholeNumberBetween(1, 1_000_000),
  duration: wholeNumberBetween(1, 86_400),
})

export const rateLimitsForm = (isEnabled: boolean) =>
  z.object({
    enabled: flag,
    rules: z
      .array(rule, 'Must be a list of rules.')
      .refine(({ length }) => length > 0 || !isEnabled, refusedWith(blank))
      .refine(({ length }) => length <= MAX_RULES, tooMany)
      .superRefine((rules, context) => {
        const names = rules.map(({ label, audience }) => JSON.stringify([label, audience]))
        for (const [at, name] of names.entries()) {
          if (names.indexOf(name) < at) context.addIssue({ code: 'custom', path: [at, 'label'], ...twice })
        }
      }),
    excludedIPs: networkList,
  })

const MAX_PORT = 65_535
const notHost: FieldError = { code: 'validation_is_host', message: 'Must be a valid IP address or host name.' }

/**
 * List of the encryption modes of the hub's connection to the mail server. `tls` encrypts from the first byte, `starttls` requires
 * STARTTLS, `auto` uses STARTTLS if the server offers it.
 */
const encryptions = ['tls', 'starttls', 'auto'] as const

/**
 * List of the SMTP authentication methods for the mail server; `''` uses the first of the others, in this order, that the server offers.
 */
const authMethods = ['', 'PLAIN', 'LOGIN', 'CRAM-MD5'] as const

/**
 * Returns the form schema of the mail server settings. An empty `username` means no authentication. An empty `localName` means the
 * machine's full name in EHLO, or `[127.0.0.1]` if its name has no dot. `isEnabled` makes the host required; the port must be valid in any
 * case.
 */
export const smtpForm = (isEnabled: boolean) =>
  z.object({
    enabled: z.unknown().transform((enabled) => enabled === true),
    host: checkedValue<string>((host) => {
      if (typeof host !== 'string' || !/^[\w.:-]*$/.test(host.trim())) return notHost
      return isEnabled && host.trim() === '' ? blank : undefined
    }).transform((host) => host.trim()),
    port: checkedValue<number>((port) => {
      if (isWhole(port, 1, MAX_PORT)) return undefined
      return isEnabled && (port === 0 || port === null) ? blank : invalid(`Must be a whole number from 1 to ${MAX_PORT}.`)
    }),
    encryption: oneOf(encryptions),
    authMethod: oneOf(authMethods),
    username: text(),
    password: text(),
    localName: text(),
  })

export type SmtpSettings = Readonly<z.infer<ReturnType<typeof smtpForm>>>
export type Sender = { readonly name: string; readonly address: string }

export const defaultSmtp: SmtpSettings = {
  enabled: false,
  host: '',
  port: 587,
  encryption: 'auto',
  authMethod: '',
  username: '',
  password: '',
  localName: '',
}

/**
 * Returns the mail server settings after a change. `sent` has the request's raw fields, `form` the new values of all fields. The stored
 * password stays unless a new one is sent; `''` removes it. Older clients send asterisks for an unchanged one.
 */
export function changedSmtp(current: SmtpSettings, sent: JsonObject, form: SmtpSettings): SmtpSettings {
  const { password } = sent
  const isNew = typeof password === 'string' && !/^\*+$/.test(password)
  return { ...form, encryption: changedEncryption(current.encryption, sent), password: isNew ? password : current.password }
}

/**
 * Returns the encryption of the connection to the mail server after a change: `encryption` if valid, else by the boolean `tls` of older
 * clients. True means `tls`, false turns `tls` into `auto`.
 */
function changedEncryption(current: SmtpSettings['encryption'], { encryption, tls }: JsonObject): SmtpSettings['encryption'] {
  const named = encryptions.find((one) => one === encryption)
  if (named !== undefined) return named
  if (tls === true) return 'tls'
  return tls === false && current === 'tls' ? 'auto' : current
}

/**
 * Schema of trusted proxies. `networks` are trusted in addition to `--trusted-proxies`. The first of `headers` that is present counts; an
 * empty list means X-Forwarded-For, X-Real-IP, CF-Connecting-IP. `useLeftmostIP` takes its first address, otherwise the last one that is
 * not a proxy's.
 */
export const trustedProxyFields = z.object({
  headers: textList(isHeader, (name) => invalid(`"${name}" is not the name of a header.`)),
  useLeftmostIP: flag,
  networks: networkList,
})
export type TrustedProxySettings = Readonly<z.infer<typeof trustedProxyFields>>

export const defaultTrustedProxy: TrustedProxySettings = { headers: [], useLeftmostIP: false, networks: [] }

/**
 * Returns the form schema of trusted proxies. It rejects headers without a trusted proxy, as the hub would never read them, unless the
 * operator configured proxies (`isNamed`).
 */
export const trustedProxyForm = (isNamed: boolean) =>
  trustedProxyFields.refine(({ headers, networks }) => headers.length === 0 || networks.length > 0 || isNamed, {
    path: ['networks'],
    ...refusedWith(blank),
  })

/** Parses stored settings of any kind with the schema `form`. A field that is missing or invalid gets its value in `defaults`. */
export function readStored<Settings extends object>(form: z.ZodObject, defaults: Settings, stored: Json | undefined): Settings {
  const fields = Object.entries(defaults).map(([name, standard]) => {
    const value = isJsonObject(stored) ? ownValue(stored, name) : undefined
    const field = ownValue(form.shape, name)
    const parsed = value === undefined || field === undefined ? undefined : z.safeParse(field, value)
    return [name, parsed?.success === true ? parsed.data : standard]
  })
  return Object.fromEntries(fields) as Settings // the form has the same fields as the settings
}
