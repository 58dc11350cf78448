import { AddressError, requiredPart, wholeOption, type Address } from '../address.ts'
import {
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
  sendOnce,
  withAcknowledgeLine,
} from '../channel.ts'

const FORM = 'pushover://shoutrrr:API_TOKEN@USER_KEY'
const LONGEST_TITLE = 250
const LONGEST_TEXT = 1024
/** Interval in seconds (60) at which Pushover repeats an emergency message until somebody confirms it: the parameter `retry` of its API. */
const REPEAT_S = 60
const GIVE_UP_S = 3600

/** Kind of notification channel: Pushover's message API, with addresses `pushover://…`. */
export const pushover: ChannelKind = {
  name: 'Pushover',
  schemes: ['pushover'],
  read(address): Channel {
    const token = requiredPart(address.password, 'the API token', FORM)
    const user = requiredPart(address.host, 'the user key', FORM)
    if (address.option('encryptionkey', 'key') !== undefined)
      throw new AddressError('Cannot use the address: this hub cannot encrypt messages end to end')
    const wishes = wishesOf(address)
    return {
      secrets: [token, user],
      send: (message) =>
        sendOnce(jsonPost('https://api.pushover.net/1/messages.json', { token, user, ...messageOf(message), ...wishes }), judge),
    }
  },
}

function wishesOf(address: Address) {
  const priority = wholeOption(address, 'priority', [-2, 2])
  const devices = address.list('devices', 'device')
  const sound = address.option('sound')
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(priority === 2 ? { retry: REPEAT_S, expire: GIVE_UP_S } : {}),
    ...(devices.length === 0 ? {} : { device: devices.join(',') }),
    ...(sound === undefined ? {} : { sound }),
  }
}

function messageOf(message: ChannelMessage) {
  const title = cutTo(oneLine(message.title), LONGEST_TITLE)
  const line = withAcknowledgeLine('', message)
  // Pushover refuses a longer message.
  const below = line.length > LONGEST_TEXT / 2 ? '' : line
  return {
    title,
    // Pushover refuses an empty message.
    message: cutTo(message.body.trim() === '' ? title : message.body, LONGEST_TEXT - below.length) + below,
    ...(message.link === undefined ? {} : { url: message.link, url_title: cutTo(linkLabel(message), 100) }),
  }
}

function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ errors }) => (Array.isArray(errors) ? errors.join(', ') : undefined))
  if (tried.outcome !== 'delivered' || bodyOf(answer)['status'] === 1) return tried
  return { outcome: 'refused', reason: "the server's answer does not say that it was taken" }
}
