import { AddressError, requiredPart, type Address } from '../address.ts'
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
import { escapeSlack } from '../escapes.ts'

const FORM = 'slack://hook:A-B-C@webhook or slack://xoxb:TOKEN@CHANNEL'
const LONGEST_TITLE = 300
const LONGEST_BODY = 8000
const colors = { firing: '#d92d20', resolved: '#17803d', info: '#1f5fbf' } as const

type Target = { readonly way: 'hook'; readonly path: string } | { readonly way: 'bot'; readonly token: string; readonly channel: string }

/**
 * Kind of notification channel for Slack, by an incoming webhook or a bot (`chat.postMessage`). Formatting is off, so the text is shown as
 * it is.
 */
export const slack: ChannelKind = {
  name: 'Slack',
  schemes: ['slack'],
  read(address): Channel {
    const target = targetOf(address)
    const looks = looksOf(address)
    return {
      secrets: target.way === 'hook' ? [target.path, ...target.path.split('/')] : [target.token],
      send: (message) => {
        const content = {
          ...contentOf(message, address.option('color')),
          ...looks,
          ...(target.way === 'bot' ? { channel: target.channel } : {}),
        }
        return target.way === 'hook'
          ? sendOnce(jsonPost(`https://hooks.slack.com/services/${target.path}`, content), (answer) =>
              judgeByStatus(answer, (_body, text) => text),
            )
          : sendOnce(
              jsonPost('https://slack.com/api/chat.postMessage', content, {
                'content-type': 'application/json; charset=utf-8',
                authorization: `Bearer ${target.token}`,
              }),
              judgeBot,
            )
      },
    }
  },
}

/**
 * Parses a Slack channel address. Returns the URL of a webhook, or token and channel of a bot. Forms: `hook:A-B-C@webhook`,
 * `xoxb:…@CHANNEL`, or the oldest `[NAME@]A/B/C`. Throws AddressError for other text.
 */
function targetOf({ user, password, hostname, path }: Address): Target {
  const isFirstForm = path.length > 1
  const written = isFirstForm ? [hostname, ...path].join('/') : `${user}${password === '' ? '' : `:${password}`}`
  const [, type = 'hook', rest = ''] = /^(?:(hook|xox[a-z])[-:])?(.*)$/.exec(written) ?? []
  const parts = rest.split(/[-/,]/).filter((part) => part !== '')
  if (!parts.every((part) => /^\w+$/.test(part)))
    throw new AddressError(`Cannot read the address: the token is not valid, expected ${FORM}`)
  if (type !== 'hook') {
    const token = `${type}-${requiredPart(parts.join('-'), 'the token', FORM)}`
    return { way: 'bot', token, channel: requiredPart(hostname, 'the channel', FORM) }
  }
  if (parts.length !== 3) throw new AddressError(`Cannot read the address: the token of a webhook has three parts, expected ${FORM}`)
  return { way: 'hook', path: parts.join('/') }
}

function looksOf(address: Address) {
  const username = address.option('botname', 'username') ?? (address.path.length > 1 && address.user !== '' ? address.user : undefined)
  const icon = address.option('icon', 'icon_emoji', 'icon_url')
  const thread = address.option('thread_ts')
  return {
    ...(username === undefined ? {} : { username }),
    ...(icon === undefined ? {} : /^https?:/i.test(icon) ? { icon_url: icon } : { icon_emoji: icon }),
    ...(thread === undefined ? {} : { thread_ts: thread }),
  }
}

function contentOf(message: ChannelMessage, color: string | undefined) {
  const body = escapeSlack(cutTo(message.body, LONGEST_BODY))
  return {
    text: escapeSlack(cutTo(oneLine(message.title), LONGEST_TITLE)),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    attachments: [
      {
        color: color ?? colors[message.severity],
        fallback: body,
        text: body,
        mrkdwn_in: [],
        ...(message.link === undefined ? {} : { title: escapeSlack(linkLabel(message)), title_link: message.link }),
      },
      ...(message.acknowledgeLink === undefined
        ? []
        : [
            {
              color: color ?? colors[message.severity],
              fallback: acknowledgeLabel(message),
              title: acknowledgeLabel(message),
              title_link: message.acknowledgeLink,
            },
          ]),
    ],
  }
}

/**
 * Judges the response of Slack's API to a bot and returns the outcome: delivered, refused or later. The HTTP status can be 200 although the
 * body has an error.
 */
function judgeBot(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ error }, text) => error ?? text)
  if (tried.outcome !== 'delivered') return tried
  const { ok, error } = bodyOf(answer)
  if (ok === true) return tried
  const reason = `the server answered: ${cleanText(error) || 'it was not taken'}`
  return retryableErrors.has(cleanText(error)) ? later(reason) : { outcome: 'refused', reason }
}

/** Set of the error codes of Slack's API that are temporary, such as `ratelimited`. The message is retried later. */
const retryableErrors = new Set(['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])
