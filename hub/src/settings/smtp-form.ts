import { z } from 'zod'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { blank } from '../records/model/field-check.ts'
import type { FieldError } from '../records/model/record-error.ts'
import { checked, invalid, isWhole, oneOf, text } from '../records/model/field-errors.ts'
import { authMethods, encryptions, type Encryption, type SmtpSettings } from './smtp-settings.ts'

const MAX_PORT = 65_535
const notHost: FieldError = { code: 'validation_is_host', message: 'Must be a valid IP address or host name.' }

export const smtpForm = (isEnabled: boolean) =>
  z.object({
    enabled: z.unknown().transform((enabled) => enabled === true),
    host: checked<string>((host) => {
      if (typeof host !== 'string' || !/^[\w.:-]*$/.test(host.trim())) return notHost
      return isEnabled && host.trim() === '' ? blank : undefined
    }).transform((host) => host.trim()),
    port: checked<number>((port) => {
      if (isWhole(port, 1, MAX_PORT)) return undefined
      return isEnabled && (port === 0 || port === null) ? blank : invalid(`Must be a whole number from 1 to ${MAX_PORT}.`)
    }),
    encryption: oneOf(encryptions),
    authMethod: oneOf(authMethods),
    username: text(),
    password: text(),
    localName: text(),
  })

/**
 * Returns the mail server settings after a change. `sent` has the fields from the client, `form` all of them. Older clients send back the
 * asterisks they were shown; the password then stays.
 */
export function changedSmtp(current: SmtpSettings, sent: JsonObject, form: SmtpSettings): SmtpSettings {
  const { password } = sent
  const isNew = typeof password === 'string' && !/^\*+$/.test(password)
  return { ...form, encryption: changedEncryption(current.encryption, sent), password: isNew ? password : current.password }
}

/** Older clients send `tls` instead of `encryption`. */
function changedEncryption(current: Encryption, { encryption, tls }: JsonObject): Encryption {
  const named = encryptions.find((one) => one === encryption)
  if (named !== undefined) return named
  if (tls === true) return 'tls'
  return tls === false && current === 'tls' ? 'auto' : current
}
