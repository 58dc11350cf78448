import { createHmac } from 'node:crypto'
import { AddressError, requiredPart } from '../address.ts'
import {
  acknowledgeLabel,
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type AttemptOutcome,
  cutTo,
  linkLabel,
  oneLine,
  type ChannelMessage,
  jsonPost,
  bodyOf,
  cleanText,
  judgeByStatus,
  later,
  sendOnce,
} from '../channel.ts'

const FORM = 'lark://open.larksuite.com/TOKEN[?secret=SECRET]'
const hosts = ['open.larksuite.com', 'open.feishu.cn']
const LONGEST_TITLE = 200
/** Maximum length of a Lark message's body, in UTF-16 units (4,000); a longer body is cut. Lark accepts requests of at most 20 kB. */
const LONGEST_BODY = 4000
/** Set of Lark's error codes for exceeded rate limits (bot, app or tenant), such as 9499. The message is retried later. */
const retryableErrors = new Set([9499, 11232, 11233, 99_991_400])

/** Kind of notification channel for a custom bot of Lark or Feishu. A post's text has no markup, so `<at>` mentions nobody. */
export const lark: ChannelKind = {
  name: 'Lark',
  schemes: ['lark', 'feishu'],
  read(address): Channel {
    const host = address.host === '' ? 'open.larksuite.com' : address.host.toLowerCase()
    if (!hosts.includes(host)) throw new AddressError(`Cannot read the address: the host is not ${hosts.join(' or ')}`)
    const token = requiredPart(address.path.join('/'), 'the token', FORM)
    const secret = address.option('secret')
    return {
      secrets: [token, secret ?? ''],
      send: (message, { nowMs }) =>
        sendOnce(
          jsonPost(`https://${host}/open-apis/bot/v2/hook/${encodeURIComponent(token)}`, {
            ...(secret === undefined ? {} : signed(secret, Math.floor(nowMs / 1000))),
            msg_type: 'post',
            content: { post: { en_us: postOf(message) } },
          }),
          judge,
        ),
    }
  },
}

/**
 * Returns the signature fields of a request to Lark: `timestamp`, the given epoch seconds as text, and `sign`. `sign` is the base64
 * HMAC-SHA256 of empty data, keyed with timestamp and `secret`.
 */
function signed(secret: string, timestampS: number) {
  const sign = createHmac('sha256', `${timestampS}\n${secret}`).digest('base64')
  return { timestamp: String(timestampS), sign }
}

function postOf(message: ChannelMessage) {
  const lineOf = (text: string, href: string | undefined) => (href === undefined ? [] : [[{ tag: 'a', text, href }]])
  const links = [...lineOf(linkLabel(message), message.link), ...lineOf(acknowledgeLabel(message), message.acknowledgeLink)]
  return {
    title: cutTo(oneLine(message.title), LONGEST_TITLE),
    content: [[{ tag: 'text', text: cutTo(message.body, LONGEST_BODY) }], ...links],
  }
}

/**
 * Returns the outcome of a Lark delivery from the server's response: delivered, refused or later. It also reads `code` in the JSON body,
 * which can be an error although the HTTP status is 200.
 */
function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ msg }) => msg)
  const { code, StatusCode: first, msg } = bodyOf(answer)
  if (tried.outcome !== 'delivered' || code === 0 || (code === undefined && first === 0)) return tried
  const reason = `the server answered with code ${cleanText(code) || 'none'}: ${cleanText(msg)}`
  return typeof code === 'number' && retryableErrors.has(code) ? later(reason) : { outcome: 'refused', reason }
}
