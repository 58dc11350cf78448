import { AddressError, requiredPart } from '../address.ts'
import {
  acknowledgeLine,
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type AttemptOutcome,
  bodyWithLink,
  cutTo,
  oneLine,
  type ChannelMessage,
  jsonPost,
  bodyOf,
  judgeByStatus,
  secondsAsMs,
  sendEach,
} from '../channel.ts'
import { withoutMentions } from '../escapes.ts'

const FORM = 'telegram://TOKEN@telegram?chats=CHAT,@CHANNEL'
const LONGEST_TITLE = 300
/** Maximum length of a Telegram message, in UTF-16 units (4,000); a longer text is cut. Telegram accepts 4096. */
const LONGEST_TEXT = 4000

type Chat = { readonly id: string; readonly topic?: number }

/**
 * Kind of notification channel for a Telegram bot (`sendMessage`). Without a parse mode no markup takes effect; an entity makes the title
 * bold.
 */
export const telegram: ChannelKind = {
  name: 'Telegram',
  schemes: ['telegram'],
  read(address): Channel {
    const token = `${requiredPart(address.user, 'the token', FORM)}:${requiredPart(address.password, 'the token', FORM)}`
    if (!/^\d+:[\w-]+$/.test(token)) throw new AddressError(`Cannot read the address: the token is not one of a bot, expected ${FORM}`)
    const chats = address.list('chats', 'channels')
    if (chats.length === 0) throw new AddressError(`Cannot read the address: "chats" is missing, expected ${FORM}`)
    const destinations = chats.map((chat) => [chat, chatOf(chat)] as const)
    const options = {
      link_preview_options: { is_disabled: !address.flag('preview', true) },
      disable_notification: !address.flag('notification', true),
    }
    return {
      secrets: [token, address.password],
      send: (message, { reached }) =>
        sendEach(destinations, reached, function* (chat) {
          const answer = yield jsonPost(`https://api.telegram.org/bot${token}/sendMessage`, {
            chat_id: chat.id,
            ...(chat.topic === undefined ? {} : { message_thread_id: chat.topic }),
            ...messageOf(message),
            ...options,
          })
          return judge(answer)
        }),
    }
  },
}

/**
 * Parses a Telegram chat in a channel address: `-100123` or `@channel`, each with an optional `:TOPIC`. Returns the chat's `id` as text and
 * the `topic` as number. Throws AddressError for other text.
 */
function chatOf(text: string): Chat {
  const [, id = '', topic] = /^(-?\d+|@\w+)(?::(\d+))?$/.exec(text) ?? []
  if (id === '') throw new AddressError('Cannot read the address: "chats" holds neither the number of a chat nor the @name of a channel')
  return topic === undefined ? { id } : { id, topic: Number(topic) }
}

/**
 * Returns how many UTF-16 units of a Telegram message are kept free for title and links, so that the body is cut to the rest. It is 500
 * plus the length of the line `Acknowledge: https://…`.
 */
const roomForLinks = (message: ChannelMessage): number => 500 + acknowledgeLine(message).join('\n').length

function messageOf(message: ChannelMessage) {
  const title = withoutMentions(cutTo(oneLine(message.title), LONGEST_TITLE))
  const body = withoutMentions(
    message.link === undefined
      ? message.body
      : bodyWithLink({ ...message, body: cutTo(message.body, LONGEST_TEXT - roomForLinks(message)) }),
  )
  return {
    text: cutTo(`${title}\n\n${body}`, LONGEST_TEXT),
    // Offsets are in UTF-16 units, like string lengths here.
    entities: [{ type: 'bold', offset: 0, length: title.length }],
  }
}

function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ description }) => description)
  const { parameters } = bodyOf(answer)
  const wait = typeof parameters === 'object' && parameters !== null && 'retry_after' in parameters ? parameters['retry_after'] : undefined
  const afterMs = secondsAsMs(wait)
  return tried.outcome === 'later' && afterMs !== undefined ? { ...tried, afterMs } : tried
}
