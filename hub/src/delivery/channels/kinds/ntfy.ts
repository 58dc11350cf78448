import { AddressError, basicAuthorization, requiredPart, webScheme, type Address } from '../address.ts'
import {
  acknowledgeLabel,
  type Channel,
  type ChannelKind,
  cutToBytes,
  linkLabel,
  oneLine,
  type ChannelMessage,
  judgeByStatus,
  sendOnce,
} from '../channel.ts'

const FORM = 'ntfy://[USER:PASSWORD@]HOST/TOPIC'
/**
 * Maximum length of an ntfy message's body, in bytes (4 KiB); a longer body is cut. ntfy would turn it into an attachment, which not every
 * server accepts.
 */
const MOST_BYTES = 4096
const priorities = ['1', '2', '3', '4', '5', 'min', 'low', 'default', 'high', 'max', 'urgent']

/** Kind of notification channel for an ntfy topic. The message's key is its sequence id, so servers since 2.16 show a repeat only once. */
export const ntfy: ChannelKind = {
  name: 'ntfy',
  schemes: ['ntfy'],
  read(address): Channel {
    const host = address.host === '' ? 'ntfy.sh' : address.host
    const topic = requiredPart(address.path.join('/'), 'the topic', FORM)
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(topic))
      throw new AddressError('Cannot read the address: the topic has at most 64 letters, digits, "-" and "_"')
    const token = address.option('token')
    const authorization = token === undefined ? basicAuthorization(address) : `Bearer ${token}`
    const wishes = wishesOf(address)
    return {
      secrets: [topic, address.password, token ?? '', wishes['email'] ?? ''],
      send: (message) =>
        sendOnce(
          {
            url: `${webScheme(address)}://${host}/${topic}`,
            method: 'POST',
            headers: { ...headersOf(message), ...wishes, ...(authorization === undefined ? {} : { authorization }) },
            body: cutToBytes(message.body === '' ? message.title : message.body, MOST_BYTES),
            acceptsAnyCertificate: address.flag('disabletlsverification', false),
          },
          (answer) => judgeByStatus(answer, ({ error }) => error),
        ),
    }
  },
}

/**
 * Parses the options of an ntfy channel address, such as `priority=4` and `tags`. Returns them as an object from HTTP header name to value.
 * Throws AddressError for an unknown priority.
 */
function wishesOf(address: Address): Readonly<Record<string, string>> {
  const priority = address.option('priority')?.toLowerCase()
  if (priority !== undefined && !priorities.includes(priority))
    throw new AddressError('Cannot read the address: "priority" is not a number from 1 to 5')
  const wishes = {
    priority,
    tags: address.option('tags'),
    actions: address.option('actions'),
    click: address.option('click'),
    attach: address.option('attach'),
    filename: address.option('filename'),
    delay: address.option('delay', 'at', 'in'),
    email: address.option('email'),
    icon: address.option('icon'),
    cache: address.flag('cache', true) ? undefined : 'no',
    firebase: address.flag('firebase', true) ? undefined : 'no',
  }
  return Object.fromEntries(
    Object.entries(wishes).flatMap(([name, value]) => (value === undefined ? [] : [[name, headerText(oneLine(value))] as const])),
  )
}

function headersOf(message: ChannelMessage): Readonly<Record<string, string>> {
  const common = { 'content-type': 'text/plain; charset=utf-8', title: headerText(oneLine(message.title)), 'x-sequence-id': message.key }
  if (message.link === undefined) return common
  const { link, acknowledgeLink } = message
  const second = acknowledgeLink === undefined ? [] : [{ action: 'view', label: acknowledgeLabel(message), url: acknowledgeLink }]
  const actions = JSON.stringify([{ action: 'view', label: linkLabel(message), url: link }, ...second])
  return { ...common, click: headerText(link), actions: asAscii(actions) }
}

/** Returns a JSON text in which all non-ASCII characters are escaped as `\uXXXX`, for an HTTP header of a request to ntfy. */
const asAscii = (json: string): string =>
  json.replaceAll(/[^\x20-\x7e]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'))

const ENCODED_WORD_BYTES = 45

/**
 * Encodes a header value with non-ASCII characters as RFC 2047 words of at most 75 characters. No character is split. Printable ASCII text
 * without `=?` is returned unchanged.
 */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text
  const words: string[] = []
  let word = ''
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(word + character) > ENCODED_WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}
