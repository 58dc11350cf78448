import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { AddressError, requiredPart, requiredHost, webScheme, wholeOption, type Address } from '../address.ts'
import { isJsonObject, parseSentJson } from '../../../platform/json.ts'
import {
  type Channel,
  type ChannelKind,
  bodyWithLink,
  oneLine,
  type ChannelMessage,
  jsonPost,
  judgeByStatus,
  sendOnce,
} from '../channel.ts'

const FORM = 'gotify://HOST[/PATH]/TOKEN'

/**
 * Kind of notification channel for an application on a Gotify server. The application's token is sent in a header, because servers log
 * URLs.
 */
export const gotify: ChannelKind = {
  name: 'Gotify',
  schemes: ['gotify'],
  read(address): Channel {
    const { url, token } = targetOf(address)
    const priority = wholeOption(address, 'priority', [-2, 10]) ?? 0
    const extras = extrasOf(address)
    return {
      secrets: [token],
      send: (message) =>
        sendOnce(
          {
            ...jsonPost(
              url,
              {
                title: oneLine(message.title),
                message: bodyWithLink(message),
                priority,
                extras: { ...clickOf(message), 'client::display': { contentType: 'text/plain' }, ...extras },
              },
              { 'x-gotify-key': token },
            ),
            acceptsAnyCertificate: address.flag('insecureskipverify', false),
          },
          (answer) => judgeByStatus(answer, ({ errorDescription, error }) => errorDescription ?? error),
        ),
    }
  },
}

/**
 * Parses a Gotify channel address. Returns the request URL and the application token, which is the query parameter `token` or else the last
 * path segment. Throws AddressError if the token is missing.
 */
function targetOf(address: Address): { readonly url: string; readonly token: string } {
  const host = requiredHost(address, FORM)
  const named = address.option('token')
  const token = requiredPart(named ?? address.path.at(-1), 'the token', FORM)
  const before = named !== undefined && address.path.at(-1) !== 'message' ? address.path : address.path.slice(0, -1)
  const root = `${webScheme(address)}://${[host, ...before.map(encodeURIComponent)].join('/')}`
  // A header cannot contain other characters.
  if (!/^[\w.-]+$/.test(token)) throw new AddressError(`Cannot read the address: the token is not one of an application, expected ${FORM}`)
  return { url: `${root}/message`, token }
}

const clickOf = ({ link }: ChannelMessage) => (link === undefined ? {} : { 'client::notification': { click: { url: link } } })

function extrasOf(address: Address): JsonObject {
  const text = address.option('extras')
  if (text === undefined) return {}
  try {
    const extras = parseSentJson(text)
    if (isJsonObject(extras)) return extras
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new AddressError('Cannot read the address: "extras" is not a JSON object')
}
