import { AddressError, requiredHost } from '../address.ts'
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
  judgeByStatus,
  sendOnce,
} from '../channel.ts'
import { escapeHtml, withoutTags } from '../escapes.ts'

const FORM = 'googlechat://chat.googleapis.com/v1/spaces/SPACE/messages?key=KEY&token=TOKEN'
const LONGEST_TITLE = 200
const LONGEST_BODY = 4000

/**
 * Kind of notification channel for an incoming webhook of a Google Chat space: the webhook's URL with another scheme. Text in a card
 * mentions nobody.
 */
export const googleChat: ChannelKind = {
  name: 'Google Chat',
  schemes: ['googlechat', 'hangouts'],
  read(address): Channel {
    const host = requiredHost(address, FORM)
    const key = address.option('key')
    const token = address.option('token')
    if (key === undefined) throw new AddressError(`Cannot read the address: "key" is missing, expected ${FORM}`)
    if (token === undefined) throw new AddressError(`Cannot read the address: "token" is missing, expected ${FORM}`)
    const query = new URLSearchParams(address.parameters.map(([name, value]) => [name, value]))
    return {
      secrets: [key, token],
      send: (message) =>
        sendOnce(
          jsonPost(`https://${host}${address.rawPath}?${query.toString()}`, messageOf(message), {
            'content-type': 'application/json; charset=utf-8',
          }),
          judge,
        ),
    }
  },
}

function messageOf(message: ChannelMessage) {
  const title = cutTo(oneLine(message.title), LONGEST_TITLE)
  const body = cutTo(message.body, LONGEST_BODY)
  const open = (text: string, url: string | undefined) => (url === undefined ? [] : [{ text, onClick: { openLink: { url } } }])
  const buttons = [...open(linkLabel(message), message.link), ...open(acknowledgeLabel(message), message.acknowledgeLink)]
  const button = buttons.length === 0 ? [] : [{ buttonList: { buttons } }]
  return {
    fallbackText: withoutTags(title),
    cardsV2: [
      {
        cardId: 'notice',
        card: { header: { title }, sections: [{ widgets: [{ textParagraph: { text: escapeHtml(body) } }, ...button] }] },
      },
    ],
  }
}

const judge = (answer: ChannelAnswer): AttemptOutcome =>
  judgeByStatus(answer, ({ error }) => (typeof error === 'object' && error !== null && 'message' in error ? error['message'] : undefined))
