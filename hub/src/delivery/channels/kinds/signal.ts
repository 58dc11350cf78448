import { AddressError, basicAuthorization, requiredPart, requiredHost, webScheme } from '../address.ts'
import { type Channel, type ChannelKind, type ChannelMessage, cutTo, wholeText, jsonPost, judgeByStatus, sendEach } from '../channel.ts'

const FORM = 'signal://[USER:PASSWORD@]HOST[:PORT]/SOURCE/RECIPIENT[/RECIPIENT]'
const PORT = '8080'
/** Maximum length of a Signal message, in UTF-16 units (2,000); a longer text is cut. Signal would send it as a file. */
const LONGEST_TEXT = 2000
const PHONE = /^\+?\d[\d() -]*$/
const GROUP = /^group\.[\w+/=-]+$/
const NAME = /^u:.+$/

/** Kind of notification channel for a REST gateway to Signal (signal-cli-rest-api, `/v2/send`). The text has no markup. */
export const signal: ChannelKind = {
  name: 'Signal',
  schemes: ['signal'],
  read(address): Channel {
    const { hostname } = address
    requiredHost(address, FORM)
    const [source, ...others] = address.path
    const number = requiredPart(source, 'the number it is sent from', FORM)
    if (!PHONE.test(number)) throw new AddressError('Cannot read the address: the source is not a telephone number')
    const recipients = recipientsOf(others)
    const token = address.option('token', 'apikey')
    const authorization = token === undefined ? basicAuthorization(address) : `Bearer ${token}`
    const url = `${webScheme(address)}://${hostname}:${address.port === '' ? PORT : address.port}/v2/send`
    return {
      secrets: [address.password, token ?? '', number, ...recipients],
      send: (message, { reached }) =>
        sendEach(messagesTo(recipients), reached, function* (to) {
          const content = { message: textOf(message), number, recipients: to }
          const answer = yield {
            ...jsonPost(url, content, authorization === undefined ? {} : { authorization }),
            acceptsAnyCertificate: address.flag('skiptlsverify', false),
          }
          return judgeByStatus(answer, ({ error }) => error)
        }),
    }
  },
}

/**
 * Returns title, body and links of a Signal message as one text of at most 2,000 UTF-16 units. Only the body is cut, so that the links stay
 * complete.
 */
function textOf(message: ChannelMessage): string {
  const room = Math.max(1, LONGEST_TEXT - wholeText({ ...message, body: '' }).length)
  return cutTo(wholeText({ ...message, body: cutTo(message.body, room) }), LONGEST_TEXT)
}

/**
 * Parses the path segments of a Signal address to a list of recipients: phone numbers, user names and groups. Group ids may contain
 * slashes. Throws AddressError for an invalid recipient.
 */
function recipientsOf(parts: readonly string[]): readonly string[] {
  const recipients: string[] = []
  for (const part of parts.flatMap((one) => one.split(','))) {
    const last = recipients.at(-1)
    if (last !== undefined && GROUP.test(last) && !PHONE.test(part) && !GROUP.test(part) && !NAME.test(part))
      recipients[recipients.length - 1] = `${last}/${part}`
    else recipients.push(part)
  }
  if (recipients.length === 0) throw new AddressError(`Cannot read the address: the recipient is missing, expected ${FORM}`)
  if (!recipients.every((one) => PHONE.test(one) || GROUP.test(one) || NAME.test(one)))
    throw new AddressError('Cannot read the address: a recipient is neither a telephone number nor a group nor a name')
  return recipients
}

/**
 * Groups the recipients of a Signal message into requests. Returns pairs of a name, for error texts, and the recipients of one request. All
 * phone numbers share a request, as do all user names; each group has its own.
 */
function messagesTo(recipients: readonly string[]): readonly (readonly [name: string, recipients: readonly string[]])[] {
  const phones = recipients.filter((one) => PHONE.test(one))
  const names = recipients.filter((one) => NAME.test(one))
  const groups = recipients.filter((one) => GROUP.test(one))
  return [
    ...(phones.length === 0 ? [] : [['numbers', phones] as const]),
    ...(names.length === 0 ? [] : [['names', names] as const]),
    ...groups.map((group, at) => [`group ${at + 1}`, [group]] as const),
  ]
}
