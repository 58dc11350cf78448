import { AddressError, requiredPart, requiredHost, webScheme, wholeOption, type Address } from '../address.ts'
import {
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type AttemptOutcome,
  cutToBytes,
  oneLine,
  type ChannelMessage,
  jsonPost,
  bodyOf,
  cleanText,
  judgeByStatus,
  later,
  sendOnce,
  withAcknowledgeLine,
} from '../channel.ts'

const FORM = 'bark://:DEVICE_KEY@HOST[/PATH]'
/**
 * Maximum length of a Bark message's title, in bytes (300); a longer title is cut. Apple's push service accepts 4096 bytes for the whole
 * message.
 */
const MOST_TITLE_BYTES = 300
const MOST_BODY_BYTES = 2500

/**
 * Kind of notification channel: a device on a Bark server (API v2). A message with the same `id` replaces the earlier one, so a repeat is
 * harmless.
 */
export const bark: ChannelKind = {
  name: 'Bark',
  schemes: ['bark'],
  read(address): Channel {
    const host = requiredHost(address, FORM)
    const key = requiredPart(address.password === '' ? address.user : address.password, 'the key of the device', FORM)
    const url = `${webScheme(address)}://${[host, ...address.path.map(encodeURIComponent), 'push'].join('/')}`
    const wishes = wishesOf(address)
    return {
      secrets: [key],
      send: (message) =>
        sendOnce(
          jsonPost(url, { device_key: key, ...messageOf(message), ...wishes }, { 'content-type': 'application/json; charset=utf-8' }),
          judge,
        ),
    }
  },
}

function wishesOf(address: Address) {
  const badge = wholeOption(address, 'badge', [0, 99_999])
  const texts = ['sound', 'icon', 'group', 'url', 'category', 'copy', 'level'] as const
  const level = address.option('level')
  if (level !== undefined && !/^(?:active|timeSensitive|passive|critical)$/.test(level))
    throw new AddressError('Cannot read the address: "level" is not one of active, timeSensitive, passive and critical')
  return {
    ...(badge === undefined ? {} : { badge }),
    ...Object.fromEntries(
      texts.flatMap((name) => {
        const value = address.option(name)
        return value === undefined ? [] : [[name, value] as const]
      }),
    ),
  }
}

function messageOf(message: ChannelMessage) {
  const { title, body, link, key } = message
  return {
    id: key,
    title: cutToBytes(oneLine(title), MOST_TITLE_BYTES),
    body: withAcknowledgeLine(cutToBytes(body, MOST_BODY_BYTES), message),
    ...(link === undefined ? {} : { url: link }),
  }
}

/**
 * Returns the outcome of a Bark delivery from the server's response: delivered, refused or later. It also reads `code` in the JSON body,
 * which can be an error although the HTTP status is 200.
 */
function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ message }) => message)
  const { code, message } = bodyOf(answer)
  if (tried.outcome !== 'delivered' || typeof code !== 'number' || code === 200) return tried
  const reason = `the server answered with code ${code}: ${cleanText(message)}`
  return code >= 500 || code === 429 ? later(reason) : { outcome: 'refused', reason }
}
