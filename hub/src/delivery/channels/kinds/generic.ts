import { ownValue } from '@vedette/protocol/own-value'
import { AddressError, requiredHost, type Address } from '../address.ts'
import {
  type Channel,
  type ChannelKind,
  type ChannelRequest,
  bodyWithLink,
  cutTo,
  wholeText,
  type ChannelMessage,
  judgeByStatus,
  sendOnce,
} from '../channel.ts'

/**
 * Lower-case names of the query parameters of a generic webhook address that this hub interprets itself, such as `template`. All others are
 * sent to the webhook's server: with `@` as headers, with `$` as keys of `template=json`, the rest in the query.
 */
const ownOptions = new Set(['disabletls', 'contenttype', 'method', 'requestmethod', 'template', 'title', 'titlekey', 'messagekey'])
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Regular expression for a valid HTTP header name (RFC 9110 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/**
 * Set of the lower-case names of headers that a generic webhook address cannot set, such as `host`, because they belong to the HTTP
 * connection.
 */
const forbiddenHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'te', 'trailer'])
const LONGEST_TEXT = 60_000

type Target = {
  readonly url: string
  readonly method: ChannelRequest['method']
  readonly contentType: string
  readonly headers: readonly (readonly [name: string, template: string])[]
  readonly extras: readonly (readonly [name: string, template: string])[]
  readonly query: readonly (readonly [name: string, template: string])[]
  readonly body: BodyForm
}

type BodyForm =
  | { readonly form: 'text' }
  | { readonly form: 'json'; readonly titleKey: string; readonly messageKey: string }
  | { readonly form: 'own'; readonly template: string }

/**
 * Kind of notification channel for any HTTP server: `generic://HOST/PATH?…`. `disabletls=yes` selects http; `method` and `contenttype` set
 * the request; `@Name=` adds a header; `_name=` adds a query parameter whose name is an option here. `template=json` sends JSON with
 * `titlekey` and `messagekey`, and `$name=` adds keys. Templates may contain {{title}}, {{message}}, {{link}}, {{acknowledge}}, {{severity}},
 * {{system}} and {{key}}.
 */
export const generic: ChannelKind = {
  name: 'generic webhook',
  schemes: ['generic', 'generic+https', 'generic+http'],
  read(address): Channel {
    const target = targetOf(address)
    return {
      secrets: [
        address.password,
        ...target.headers.map(([, value]) => value),
        ...target.extras.map(([, value]) => value),
        ...queryOf(target),
      ],
      send: (message) =>
        sendOnce(requestOf(target, message), (answer) =>
          judgeByStatus(answer, (_body, text) => ('failure' in answer || answer.isInternal === true ? undefined : text)),
        ),
    }
  },
}

const queryOf = ({ query }: Target): readonly string[] => query.map(([, value]) => value)

function targetOf(address: Address): Target {
  requiredHost(address, 'generic://HOST/PATH')
  const isHttp = address.scheme === 'generic+http' || address.flag('disabletls', false)
  const { user, password, host, rawPath } = address
  const who = user === '' && password === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  const starting = (sign: string) =>
    address.parameters.filter(([name]) => name.startsWith(sign)).map(([name, value]) => [name.slice(1), value] as const)
  return {
    url: `${isHttp ? 'http' : 'https'}://${who}${host}${rawPath === '' ? '/' : rawPath}`,
    method: methodOf(address),
    contentType: headerValue('contenttype', address.option('contenttype') ?? 'application/json'),
    headers: starting('@').map(([name, value]) => [headerName(name), headerValue(headerName(name), value)]),
    extras: starting('$'),
    query: [...address.parameters.filter(([name]) => !/^[@$_]/.test(name) && !ownOptions.has(name.toLowerCase())), ...starting('_')],
    body: bodyFormOf(address),
  }
}

function methodOf(address: Address): ChannelRequest['method'] {
  const given = (address.option('method', 'requestmethod') ?? 'POST').toUpperCase()
  const method = methods.find((one) => one === given)
  if (method === undefined) throw new AddressError(`Cannot read the address: "method" is not one of ${methods.join(', ')}`)
  return method
}

function bodyFormOf(address: Address): BodyForm {
  const template = address.option('template')
  if (template === undefined) return { form: 'text' }
  if (template.toLowerCase() === 'json')
    return { form: 'json', titleKey: address.option('titlekey') ?? 'title', messageKey: address.option('messagekey') ?? 'message' }
  if (!PLACE.test(template))
    throw new AddressError('Cannot read the address: "template" is not json or a text with places such as {{title}}')
  return { form: 'own', template }
}

/**
 * Converts the name of a header in an address, such as `acceptLanguage` of `@acceptLanguage`, to `accept-language`. Throws AddressError for
 * an invalid or forbidden name.
 */
function headerName(name: string): string {
  const dashed = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  // An invalid name may contain a secret, so the message does not repeat it.
  if (!HEADER_NAME.test(dashed)) throw new AddressError('Cannot read the address: a parameter with "@" is not the name of a header')
  if (forbiddenHeaders.has(dashed)) throw new AddressError(`Cannot read the address: "@${dashed}" cannot be set`)
  return dashed
}

function headerValue(name: string, value: string): string {
  if (!HEADER_VALUE.test(value)) throw new AddressError(`Cannot read the address: the value of "${name}" cannot be sent in a header`)
  return value
}

function requestOf(target: Target, message: ChannelMessage): ChannelRequest {
  const { method, contentType } = target
  const url = new URL(target.url)
  url.search = new URLSearchParams(target.query.map(([name, value]) => [name, filled(value, message, asIs)])).toString()
  const headers = {
    'idempotency-key': message.key,
    'content-type': contentType,
    ...Object.fromEntries(target.headers.map(([name, value]) => [name, filled(value, message, forHeaders)])),
  }
  return { url: url.href, method, headers, ...(method === 'GET' ? {} : { body: bodyText(target, message) }) }
}

function bodyText({ body, extras, contentType }: Target, message: ChannelMessage): string {
  switch (body.form) {
    case 'text':
      return cutTo(wholeText(message), LONGEST_TEXT)
    case 'json': {
      const more = extras.map(([name, value]) => [name, filled(value, message, asIs)] as const)
      const text = cutTo(bodyWithLink(message), LONGEST_TEXT)
      return JSON.stringify(Object.fromEntries([...more, [body.titleKey, message.title], [body.messageKey, text]]))
    }
    case 'own':
      return filled(body.template, message, escapeFor(contentType))
  }
}

const PLACE = /\{\{\s*\.?(title|message|link|acknowledge|severity|system|key)\s*\}\}/gi

type Escape = (text: string) => string
const asIs: Escape = (text) => text
/**
 * Escapes a message text, such as its title, for a JSON template that the user wrote for a webhook. Returns the content of a JSON string
 * without the surrounding quotes, because the template has them.
 */
const forJson: Escape = (text) => JSON.stringify(text).slice(1, -1)
/** Returns a text for an HTTP header, in which control characters other than tab and non-ASCII characters are percent-encoded. */
const forHeaders: Escape = (text) => text.replaceAll(/[^\t\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))

function escapeFor(contentType: string): Escape {
  if (/\bjson\b/i.test(contentType)) return forJson
  return /^application\/x-www-form-urlencoded/i.test(contentType) ? (text) => encodeURIComponent(text.toWellFormed()) : asIs
}

function filled(
  template: string,
  { title, body, link, acknowledgeLink, severity, systemName, key }: ChannelMessage,
  escape: Escape,
): string {
  const values: Readonly<Record<string, string>> = {
    title,
    message: cutTo(body, LONGEST_TEXT),
    link: link ?? '',
    acknowledge: acknowledgeLink ?? '',
    severity,
    system: systemName,
    key,
  }
  return template.replaceAll(PLACE, (_place, name: string) => escape(ownValue(values, name.toLowerCase()) ?? ''))
}
