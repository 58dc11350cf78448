import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { authMethods, encryptions, type Encryption, type SmtpSettings } from './smtp-settings.ts'
import { blank } from '../records/model/field-check.ts'
import type { FieldError } from '../records/model/record-error.ts'

/** The mail server after a change: `sent` is what was, `after` the whole form as it would be. The password is written, never read; older forms send back the stars they were shown. */
export function changedSmtp(current: SmtpSettings, sent: JsonObject, after: JsonObject): SmtpSettings {
  const { password } = sent
  return {
    enabled: after['enabled'] === true,
    host: textOf(after, 'host').trim(),
    port: Number(after['port']),
    encryption: changedEncryption(current.encryption, sent),
    authMethod: authMethods.find((one) => one === after['authMethod']) ?? '',
    username: textOf(after, 'username'),
    password: typeof password === 'string' && !/^\*+$/.test(password) ? password : current.password,
    localName: textOf(after, 'localName'),
  }
}

function changedEncryption(current: Encryption, { encryption, tls }: JsonObject): Encryption {
  const named = encryptions.find((one) => one === encryption)
  if (named !== undefined) return named
  if (tls === true) return 'tls'
  return tls === false && current === 'tls' ? 'auto' : current
}

function textOf(object: JsonObject, name: string): string {
  const text = ownValue(object, name)
  return typeof text === 'string' ? text : ''
}

const notListed: FieldError = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
const notHost: FieldError = { code: 'validation_is_host', message: 'Must be a valid IP address or host name.' }
const MOST_PORT = 65_535
const wrongPort: FieldError = { code: 'validation_invalid_value', message: `Must be a whole number from 1 to ${MOST_PORT}.` }

/** What is wrong with the form of the mail server, by field. */
export function wrongSmtp({ host, port, encryption, authMethod, enabled }: JsonObject): Record<string, FieldError> {
  const found = {
    host: wrongHost(host, enabled === true),
    port: isPort(port) ? undefined : enabled === true && (port === 0 || port === null) ? blank : wrongPort,
    encryption: encryptions.some((one) => one === encryption) ? undefined : notListed,
    authMethod: authMethods.some((one) => one === authMethod) ? undefined : notListed,
  }
  return Object.fromEntries(Object.entries(found).flatMap(([name, error]) => (error === undefined ? [] : [[name, error]])))
}

function wrongHost(host: Json | undefined, isNeeded: boolean): FieldError | undefined {
  if (typeof host !== 'string' || !/^[\w.:-]*$/.test(host.trim())) return notHost
  return isNeeded && host.trim() === '' ? blank : undefined
}

const isPort = (port: Json | undefined): boolean => typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= MOST_PORT
