import { isList, type Json } from '../../text/json.ts'

/** Text that replaces a probable secret in an inspection before it is displayed. */
const MASK = '***'

/**
 * Source text of a regular expression for words in names of secrets, such as `password`. An image's author controls labels, so the patterns
 * made of it must match in linear time.
 */
const SECRET_WORD =
  'password|passwd|passphrase|secret|token|api[-_.]?key|access[-_.]?key|private[-_.]?key|auth[-_.]?key|credentials?|(?:^|[-_./])pass'
const SECRET_NAME = new RegExp(`(?:${SECRET_WORD})[a-z0-9]*$`, 'i')
const ASSIGNMENT = new RegExp(`((?:${SECRET_WORD})[\\w.-]{0,64}\\s{0,8}[=:]\\s{0,8})("[^"]*"|'[^']*'|[^\\s,;&"']+)`, 'gi')
const URL_PASSWORD = /(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}(?=@)/g
const AUTHORISATION = /(authorization\s{0,8}[=:]\s{0,8}(?:basic|bearer|digest)?\s{0,8})[^\s"']+/gi
const OPTION = new RegExp(`^--?[\\w.-]{0,100}(?:${SECRET_WORD})[\\w.-]{0,64}$`, 'i')

const isSecretName = (name: string): boolean => SECRET_NAME.test(name.slice(-200))

/** Regular expression that matches the option before an environment variable: `-e` or `--env`. */
const ENVIRONMENT_OPTION = /^(?:-e|--env)$/
const ENVIRONMENT = /^((?:-e|--env=)?[A-Za-z_]\w*=).*$/s

/**
 * Returns an inspection (`GET /containers/{id}/json`) as JSON text that is safe to show. Environment variables are removed; probable
 * secrets in labels, arguments and URLs are masked.
 */
export const inspectionText = (inspection: Json): string => JSON.stringify(withoutSecrets(withoutEnvironment(inspection)))

function withoutEnvironment(inspection: Json): Json {
  if (!isRecord(inspection)) return inspection
  return Object.fromEntries(
    Object.entries(inspection).map(([key, value]) => [
      key,
      key === 'Config' && isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'Env')) : value,
    ]),
  )
}

function withoutSecrets(value: Json): Json {
  if (typeof value === 'string') return maskedText(value)
  if (isList(value)) return value.map((item, index) => maskedArgument(item, value[index - 1]))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && item !== '' && isSecretName(key) ? MASK : withoutSecrets(item),
    ]),
  )
}

/**
 * Returns one entry of a list of command line arguments with secrets masked. `before` is the entry before it, which may be an option such
 * as `--password`.
 */
function maskedArgument(item: Json, before: Json | undefined): Json {
  if (typeof item !== 'string') return withoutSecrets(item)
  if (typeof before === 'string' && OPTION.test(before)) return MASK
  const isEnvironment = (typeof before === 'string' && ENVIRONMENT_OPTION.test(before)) || item.startsWith('--env=')
  return isEnvironment ? item.replace(ENVIRONMENT, `$1${MASK}`) : maskedText(item)
}

export const maskedText = (text: string): string =>
  text.replaceAll(URL_PASSWORD, `$1${MASK}`).replaceAll(AUTHORISATION, `$1${MASK}`).replaceAll(ASSIGNMENT, `$1${MASK}`)

const isRecord = (value: Json): value is { readonly [key: string]: Json } => typeof value === 'object' && value !== null && !isList(value)
