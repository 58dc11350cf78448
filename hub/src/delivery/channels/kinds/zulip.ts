import { basicAuthorization, requiredHost, requiredPart, webScheme } from '../address.ts'
import {
  type AttemptOutcome,
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type ChannelMessage,
  bodyOf,
  cutTo,
  judgeByStatus,
  linksOf,
  oneLine,
  secondsAsMs,
  sendOnce,
} from '../channel.ts'
import { codeBlock } from '../escapes.ts'

const FORM = 'zulip://BOT_EMAIL:API_KEY@HOST/?stream=STREAM&topic=TOPIC'
const LONGEST_TOPIC = 60
const LONGEST_TITLE = 300
/**
 * Maximum length of a Zulip message's body before escaping: 4,000 UTF-16 units, beyond which it is cut. Escaping can double it; Zulip
 * accepts 10,000 characters in all.
 */
const LONGEST_BODY = 4000

/**
 * Kind of notification channel for a bot of Zulip. Without a topic in the address, the messages of each system have a topic of their own.
 * The text is a code block, because Zulip's markup has no escapes.
 */
export const zulip: ChannelKind = {
  name: 'Zulip',
  schemes: ['zulip'],
  read(address): Channel {
    const host = requiredHost(address, FORM)
    requiredPart(address.user, 'the email address of the bot', FORM)
    const key = requiredPart(address.password, 'the API key', FORM)
    const stream = address.option('stream')
    const topic = address.option('topic', 'title')
    const url = `${webScheme(address)}://${host}/api/v1/messages`
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basicAuthorization(address) ?? '',
    }
    return {
      secrets: [key, Buffer.from(`${address.user}:${key}`).toString('base64')],
      send: (message) => {
        const body = new URLSearchParams({
          type: 'stream',
          // Without it, Zulip uses the default stream of the bot.
          ...(stream === undefined ? {} : { to: stream }),
          topic: cutTo(oneLine(topic ?? message.systemName) || 'Vedette', LONGEST_TOPIC),
          content: contentOf(message),
        })
        return sendOnce({ url, method: 'POST', headers, body: body.toString() }, judge)
      },
    }
  },
}

const contentOf = (message: ChannelMessage): string =>
  [codeBlock(`${cutTo(oneLine(message.title), LONGEST_TITLE)}\n\n${cutTo(message.body, LONGEST_BODY)}`), ...linksOf(message)].join('\n')

function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ msg }) => msg)
  const afterMs = secondsAsMs(bodyOf(answer)['retry-after'])
  return tried.outcome === 'later' && afterMs !== undefined ? { ...tried, afterMs } : tried
}
