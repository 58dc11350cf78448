import { requiredPart, requiredHost, webScheme, type Address } from '../address.ts'
import {
  acknowledgeLine,
  type Channel,
  type ChannelKind,
  cutTo,
  oneLine,
  type ChannelMessage,
  jsonPost,
  judgeByStatus,
  sendOnce,
} from '../channel.ts'
import { escapeMarkdown, withoutMentions } from '../escapes.ts'

const FORM = 'mattermost://[USERNAME@]HOST/TOKEN[/CHANNEL]'
const LONGEST_TITLE = 300
/**
 * Maximum length of a Mattermost message's body before escaping: 1,700 UTF-16 units, beyond which it is cut. Escaping can double it; old
 * servers accept 4,000 characters in all.
 */
const LONGEST_BODY = 1700

/** Kind of notification channel: an incoming webhook of Mattermost, with addresses `mattermost://…`. */
export const mattermost: ChannelKind = {
  name: 'Mattermost',
  schemes: ['mattermost'],
  read(address): Channel {
    const host = requiredHost(address, FORM)
    const token = requiredPart(address.path[0], 'the token', FORM)
    const url = `${webScheme(address)}://${host}/hooks/${encodeURIComponent(token)}`
    const looks = looksOf(address)
    return {
      secrets: [token],
      send: (message) =>
        sendOnce(jsonPost(url, { text: textOf(message), ...looks }), (answer) => judgeByStatus(answer, ({ message }) => message)),
    }
  },
}

function looksOf(address: Address) {
  const [, channel] = address.path
  const icon = address.option('icon', 'icon_emoji', 'icon_url')
  return {
    ...(address.user === '' ? {} : { username: address.user }),
    ...(channel === undefined ? {} : { channel }),
    ...(icon === undefined ? {} : /^https?:/i.test(icon) ? { icon_url: icon } : { icon_emoji: icon }),
  }
}

const quoted = (text: string): string => withoutMentions(escapeMarkdown(text))

function textOf(message: ChannelMessage): string {
  const { title, body, link } = message
  const links = [...(link === undefined ? [] : [link]), ...acknowledgeLine(message)]
  const parts = [`#### ${quoted(cutTo(oneLine(title), LONGEST_TITLE))}`, quoted(cutTo(body, LONGEST_BODY))]
  return [...parts, ...(links.length === 0 ? [] : [links.join('\n')])].join('\n\n')
}
