import { requiredPart } from '../address.ts'
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
  judgeByStatus,
  secondsAsMs,
  sendOnce,
} from '../channel.ts'
import { escapeMarkdown } from '../escapes.ts'

const FORM = 'discord://TOKEN@WEBHOOK_ID'
/**
 * Maximum length of a Discord message's title, 250 UTF-16 units; a longer title is cut. Escaping can then double it. Discord accepts 2000
 * units.
 */
const LONGEST_TITLE = 250
const LONGEST_BODY = 2000
const colors = { firing: 0xd9_2d_20, resolved: 0x17_80_3d, info: 0x1f_5f_bf } as const

/** Kind of notification channel for a Discord webhook ("Execute Webhook"). `allowed_mentions` disables all mentions in the text. */
export const discord: ChannelKind = {
  name: 'Discord',
  schemes: ['discord'],
  read(address): Channel {
    const token = requiredPart(address.user, 'the token', FORM)
    const id = requiredPart(address.host, 'the id of the webhook', FORM)
    const thread = address.option('thread_id')?.trim()
    const query = new URLSearchParams({ wait: 'true', ...(thread === undefined ? {} : { thread_id: thread }) })
    const username = address.option('username')
    const avatar = address.option('avatar', 'avatarurl')
    return {
      secrets: [token],
      send: (message) =>
        sendOnce(
          jsonPost(`https://discord.com/api/webhooks/${encodeURIComponent(id)}/${encodeURIComponent(token)}?${query.toString()}`, {
            ...messageOf(message),
            ...(username === undefined ? {} : { username }),
            ...(avatar === undefined ? {} : { avatar_url: avatar }),
          }),
          judge,
        ),
    }
  },
}

/** Formats a message as JSON for Discord. The title is outside of the embed, because phone notifications show only the content. */
function messageOf(message: ChannelMessage) {
  return {
    content: `**${escapeMarkdown(cutTo(oneLine(message.title), LONGEST_TITLE))}**`,
    embeds: [
      {
        description: escapeMarkdown(cutTo(message.body, LONGEST_BODY)),
        color: colors[message.severity],
        ...(message.link === undefined ? {} : { title: escapeMarkdown(cutTo(linkLabel(message), 100)), url: message.link }),
      },
      ...(message.acknowledgeLink === undefined
        ? []
        : [{ color: colors[message.severity], title: acknowledgeLabel(message), url: message.acknowledgeLink }]),
    ],
    allowed_mentions: { parse: [] },
  }
}

function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ message }) => message)
  // More precise than the header, which has whole seconds.
  const afterMs = secondsAsMs(bodyOf(answer)['retry_after'])
  return tried.outcome === 'later' && afterMs !== undefined ? { ...tried, afterMs } : tried
}
