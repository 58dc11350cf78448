import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { createHash } from 'node:crypto'
import { AddressError, requiredPart, requiredHost, webScheme, type Address } from '../address.ts'
import {
  acknowledgeLabel,
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type ChannelRequest,
  type ChannelExchange,
  type AttemptOutcome,
  bodyWithLink,
  cutToBytes,
  linkLabel,
  oneLine,
  type ChannelMessage,
  bodyOf,
  judgeByStatus,
  secondsAsMs,
  sendEach,
  nothingReached,
} from '../channel.ts'
import { escapeHtml } from '../escapes.ts'

const FORM = 'matrix://[USER]:PASSWORD_OR_TOKEN@HOST/?rooms=!ROOM,ALIAS'
const MOST_ROOMS = 50
/** Maximum length of a Matrix message's body, in bytes (8,000). A Matrix event may have 65,536 bytes, and contains the text twice. */
const MOST_BODY_BYTES = 8000

/**
 * Kind of notification channel for rooms on a Matrix homeserver (client-server API, v3). The transaction id comes from the message's key,
 * so a repeat sends no second message.
 */
export const matrix: ChannelKind = {
  name: 'Matrix',
  schemes: ['matrix'],
  read(address): Channel {
    requiredHost(address, FORM)
    const secret = requiredPart(address.password, 'the password or the access token', FORM)
    const rooms = address.list('rooms', 'room').map((room) => (/^[!#]/.test(room) ? room : `#${room}`))
    if (rooms.length > MOST_ROOMS) throw new AddressError(`Cannot read the address: "rooms" has more than ${MOST_ROOMS}`)
    const root = `${webScheme(address)}://${address.host}/_matrix/client/v3`
    return {
      secrets: [secret],
      *send(message, { reached }) {
        const signedIn = address.user === '' ? { token: secret } : yield* signIn(root, address)
        if (!('token' in signedIn)) return nothingReached(signedIn, reached)
        const asked = askerOf(root, signedIn.token)
        const wanted = rooms.length === 0 ? yield* joinedRooms(asked) : rooms
        if ('outcome' in wanted) return nothingReached(wanted, reached)
        return yield* sendEach(
          wanted.map((room) => [room, room] as const),
          reached,
          (room) => tellRoom(asked, { room, message, mayJoin: rooms.length > 0 }),
        )
      },
    }
  },
}

type MakeRequest = (method: ChannelRequest['method'], path: readonly string[], body?: object) => ChannelRequest

function askerOf(root: string, token: string): MakeRequest {
  return (method, path, body) => ({
    url: `${root}/${path.map(encodeURIComponent).join('/')}`,
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/**
 * Channel exchange that signs in at a Matrix homeserver by name and password. Returns `{ token }`, the access token, or the outcome of a
 * failure. It always uses the same device id.
 */
function* signIn(root: string, { user, password }: Address): ChannelExchange<{ readonly token: string } | AttemptOutcome> {
  const answer = yield {
    url: `${root}/login`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user },
      password,
      device_id: 'VEDETTE',
      initial_device_display_name: 'Vedette',
    }),
  }
  return stringFrom(answer, 'access_token', (token) => ({ token }))
}

function stringFrom<Value>(answer: ChannelAnswer, field: string, use: (text: string) => Value): Value | AttemptOutcome {
  const tried = judge(answer)
  if (tried.outcome !== 'delivered') return tried
  const value = ownValue(bodyOf(answer), field)
  return typeof value === 'string' ? use(value) : { outcome: 'refused', reason: `the server's answer has no "${field}"` }
}

function* joinedRooms(asked: MakeRequest): ChannelExchange<readonly string[] | (AttemptOutcome & { readonly outcome: string })> {
  const answer = yield asked('GET', ['joined_rooms'])
  const tried = judge(answer)
  if (tried.outcome !== 'delivered') return tried
  const rooms = bodyOf(answer)['joined_rooms']
  const names = Array.isArray(rooms) ? rooms.filter((room: Json) => typeof room === 'string') : []
  if (names.length === 0) return { outcome: 'refused', reason: 'the account is in no room' }
  return names.slice(0, MOST_ROOMS)
}

type ToRoom = { readonly room: string; readonly message: ChannelMessage; readonly mayJoin: boolean }

function* tellRoom(asked: MakeRequest, { room, message, mayJoin }: ToRoom): ChannelExchange<AttemptOutcome> {
  const found = room.startsWith('!') ? { id: room } : yield* roomOfAlias(asked, room)
  if (!('id' in found)) return found
  const transaction = `${message.key}-${createHash('sha256').update(room).digest('base64url').slice(0, 8)}`
  const send = asked('PUT', ['rooms', found.id, 'send', 'm.room.message', transaction], messageOf(message))
  const answer = yield send
  const first = judge(answer)
  if (!mayJoin || bodyOf(answer)['errcode'] !== 'M_FORBIDDEN') return first
  // The account is invited, but has not joined yet.
  const joined = judge(yield asked('POST', ['join', found.id], {}))
  return joined.outcome === 'delivered' ? judge(yield send) : joined.outcome === 'later' ? joined : first
}

function* roomOfAlias(asked: MakeRequest, alias: string): ChannelExchange<{ readonly id: string } | AttemptOutcome> {
  return stringFrom(yield asked('GET', ['directory', 'room', alias]), 'room_id', (id) => ({ id }))
}

/**
 * Formats a message as the content of a Matrix event. An empty `m.mentions` disables mentions in the text (Matrix 1.7, "User and room
 * mentions").
 */
function messageOf(message: ChannelMessage) {
  const title = cutToBytes(oneLine(message.title), 1000)
  const body = cutToBytes(message.body, MOST_BODY_BYTES)
  const anchor = (text: string, url: string | undefined): readonly string[] =>
    url === undefined ? [] : [`<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`]
  const links = [...anchor(linkLabel(message), message.link), ...anchor(acknowledgeLabel(message), message.acknowledgeLink)]
  const below = links.length === 0 ? '' : `<br><br>${links.join('<br>')}`
  return {
    msgtype: 'm.text',
    body: `${title}\n\n${bodyWithLink({ ...message, body })}`,
    format: 'org.matrix.custom.html',
    formatted_body: `<strong>${escapeHtml(title)}</strong><br><br>${escapeHtml(body).replaceAll('\n', '<br>')}${below}`,
    'm.mentions': {},
  }
}

function judge(answer: ChannelAnswer): AttemptOutcome {
  const { retry_after_ms: waitMs } = bodyOf(answer)
  const tried = judgeByStatus(answer, ({ errcode, error }) => [errcode, error].filter((part) => typeof part === 'string').join(': '))
  const afterMs = typeof waitMs === 'number' ? secondsAsMs(waitMs / 1000) : undefined
  return tried.outcome === 'later' && afterMs !== undefined ? { ...tried, afterMs } : tried
}
