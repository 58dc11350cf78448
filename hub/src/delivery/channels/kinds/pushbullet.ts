import { requiredPart, type Address } from '../address.ts'
import {
  type Channel,
  type ChannelKind,
  cutTo,
  oneLine,
  type ChannelMessage,
  jsonPost,
  judgeByStatus,
  sendEach,
  withAcknowledgeLine,
} from '../channel.ts'

const FORM = 'pushbullet://TOKEN[/DEVICE|/#CHANNEL|/EMAIL]'
const LONGEST_TEXT = 8000

/**
 * Kind of notification channel for Pushbullet's push API. Each push has a `guid` from the message's key, so that Pushbullet ignores a
 * repeat.
 */
export const pushbullet: ChannelKind = {
  name: 'Pushbullet',
  schemes: ['pushbullet'],
  read(address): Channel {
    const token = requiredPart(address.host, 'the token', FORM)
    const targets = targetsOf(address)
    return {
      secrets: [token],
      send: (message, { reached }) =>
        sendEach(targets, reached, function* ({ fields, name }) {
          const answer = yield jsonPost(
            'https://api.pushbullet.com/v2/pushes',
            { ...messageOf(message), ...fields, guid: name === '' ? message.key : `${message.key}:${name}` },
            { 'access-token': token },
          )
          return judgeByStatus(answer, ({ error }) =>
            typeof error === 'object' && error !== null && 'message' in error ? error['message'] : undefined,
          )
        }),
    }
  },
}

type Target = { readonly name: string; readonly fields: Readonly<Record<string, string>> }

/**
 * Returns the destinations in a Pushbullet address (devices, channels, email addresses) as pairs. Each has a name for error texts and the
 * request fields that select the destination. An empty address selects all devices of the account.
 */
function targetsOf({ path, fragment }: Address): readonly (readonly [name: string, target: Target])[] {
  const names = [...path, ...(fragment === '' ? [] : [`#${fragment}`])]
  return (names.length === 0 ? [''] : names).map((name) => [name === '' ? 'all devices' : name, { name, fields: fieldsOf(name) }] as const)
}

function fieldsOf(name: string): Readonly<Record<string, string>> {
  if (name === '') return {}
  if (name.startsWith('#')) return { channel_tag: name.slice(1) }
  return name.includes('@') ? { email: name } : { device_iden: name }
}

function messageOf(message: ChannelMessage) {
  const { title, body, link } = message
  const text = { title: oneLine(title), body: withAcknowledgeLine(cutTo(body, LONGEST_TEXT), message) }
  return link === undefined ? { type: 'note', ...text } : { type: 'link', ...text, url: link }
}
