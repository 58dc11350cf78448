import { requiredPart, requiredHost, webScheme, type Address } from '../address.ts'
import {
  type Channel,
  type ChannelKind,
  type ChannelMessage,
  cutTo,
  linksOf,
  oneLine,
  jsonPost,
  judgeByStatus,
  sendOnce,
} from '../channel.ts'
import { codeBlock } from '../escapes.ts'

const FORM = 'rocketchat://[USERNAME@]HOST/TOKEN_A/TOKEN_B[/CHANNEL or /@PERSON]'
const LONGEST_TITLE = 200
/**
 * Maximum length of a Rocket.Chat message's body before escaping: 2,000 UTF-16 units, beyond which it is cut. Escaping can double it;
 * servers accept 5,000 in all by default.
 */
const LONGEST_BODY = 2000

/**
 * Kind of notification channel: an incoming webhook of Rocket.Chat. The text is sent as a code block, because Rocket.Chat's Markdown cannot
 * be escaped.
 */
export const rocketChat: ChannelKind = {
  name: 'Rocket.Chat',
  schemes: ['rocketchat'],
  read(address): Channel {
    const host = requiredHost(address, FORM)
    const tokens = [address.path[0], address.path[1]].map((part) => requiredPart(part, 'a part of the token', FORM))
    const url = `${webScheme(address)}://${host}/hooks/${tokens.map(encodeURIComponent).join('/')}`
    const destination = destinationOf(address)
    return {
      secrets: [tokens.join('/'), ...tokens],
      send: (message) =>
        sendOnce(jsonPost(url, { text: textOf(message), ...destination }), (answer) =>
          judgeByStatus(answer, ({ error, message: words }) => error ?? words),
        ),
    }
  },
}

function destinationOf({ user, path, fragment }: Address) {
  const [, , named = ''] = path
  const channel = fragment === '' ? named.replace(/^#/, '') : fragment
  return {
    ...(user === '' ? {} : { username: user }),
    ...(channel === '' ? {} : { channel: channel.startsWith('@') ? channel : `#${channel}` }),
  }
}

const textOf = (message: ChannelMessage): string =>
  [codeBlock(`${cutTo(oneLine(message.title), LONGEST_TITLE)}\n\n${cutTo(message.body, LONGEST_BODY)}`), ...linksOf(message)].join('\n')
