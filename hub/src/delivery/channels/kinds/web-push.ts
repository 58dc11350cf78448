import { createECDH, createHash, randomBytes } from 'node:crypto'
import { AddressError, requiredHost, type Address } from '../address.ts'
import { type Channel, type ChannelKind, cutToBytes, oneLine, type ChannelMessage, judgeByStatus, sendOnce } from '../channel.ts'
import { vapidAuthorization } from '../vapid.ts'
import { encryptPush, MOST_PUSH_BYTES, type MessageSecrets, type SubscriptionKeys } from '../web-push-encryption.ts'

const FORM = 'webpush://HOST/PATH?p256dh=KEY&auth=SECRET'
const KEY_BYTES = 65
const SECRET_BYTES = 16
/**
 * Value of the `TTL` header of Web Push messages (RFC 8030), in seconds (1 day). The push service drops a message if the browser was
 * offline for longer.
 */
const TTL_S = 86_400
const MOST_TITLE_BYTES = 300

/**
 * Kind of notification channel for a subscribed browser (Web Push): its push endpoint with another scheme, and its keys. Messages are
 * end-to-end encrypted (RFC 8030, 8291, 8292).
 */
export const webPush: ChannelKind = {
  name: 'Web Push',
  schemes: ['webpush'],
  read(address, webPushKey): Channel {
    const endpoint = endpointOf(address)
    const keys = keysOf(address)
    return {
      secrets: [endpoint.pathname + endpoint.search, ...endpoint.pathname.split('/'), address.option('auth') ?? ''],
      *send(message, { nowMs }) {
        return yield* sendOnce(
          {
            url: endpoint.href,
            method: 'POST',
            headers: {
              authorization: vapidAuthorization(webPushKey, endpoint, nowMs),
              'content-encoding': 'aes128gcm',
              'content-type': 'application/octet-stream',
              ttl: String(TTL_S),
              urgency: message.severity === 'firing' ? 'high' : 'normal',
              // A repeat replaces the message that is still queued (RFC 8030 5.4).
              topic: createHash('sha256').update(message.key).digest('base64url').slice(0, 32),
            },
            body: encryptPush(payloadOf(message), keys, messageSecrets()),
          },
          (answer) => judgeByStatus(answer, (_body, text) => text),
        )
      },
    }
  },
}

function endpointOf(address: Address): URL {
  const host = requiredHost(address, FORM)
  const query = new URLSearchParams(
    address.parameters.filter(([name]) => name !== 'p256dh' && name !== 'auth').map(([name, value]) => [name, value]),
  )
  const text = `https://${host}${address.rawPath}`
  if (address.path.length === 0 || !URL.canParse(text))
    throw new AddressError(`Cannot read the address: it has no endpoint, expected ${FORM}`)
  const url = new URL(text)
  url.search = query.toString()
  return url
}

function keysOf(address: Address): SubscriptionKeys {
  const publicKey = bytesOf(address, 'p256dh', KEY_BYTES)
  const authSecret = bytesOf(address, 'auth', SECRET_BYTES)
  try {
    // Detects a key that is not a point of the curve now, instead of when sending.
    encryptPush(Buffer.alloc(0), { publicKey, authSecret }, messageSecrets())
  } catch (cause) {
    throw new AddressError('Cannot read the address: "p256dh" is not a key', { cause })
  }
  return { publicKey, authSecret }
}

function bytesOf(address: Address, name: string, length: number): Buffer {
  const bytes = Buffer.from(address.option(name) ?? '', 'base64url')
  if (bytes.length !== length) throw new AddressError(`Cannot read the address: "${name}" has ${bytes.length} bytes, expected ${length}`)
  return bytes
}

function messageSecrets(): MessageSecrets {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // `getPrivateKey()` omits leading zeros.
  const privateKey = pair.getPrivateKey()
  return { privateKey: Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]), salt: randomBytes(16) }
}

function payloadOf({ key, title, body, link, acknowledgeLink, severity, systemName }: ChannelMessage): Buffer {
  const rest = {
    key,
    title: cutToBytes(oneLine(title), MOST_TITLE_BYTES),
    link,
    acknowledgeLink,
    severity,
    systemName: cutToBytes(oneLine(systemName), MOST_TITLE_BYTES),
  }
  const room = MOST_PUSH_BYTES - Buffer.byteLength(JSON.stringify({ ...rest, body: '' }))
  // One character may take 6 bytes in JSON, so the text is halved until it fits.
  let text = cutToBytes(body, room)
  while (Buffer.byteLength(JSON.stringify(text)) - 2 > room) text = cutToBytes(text, Math.floor(Buffer.byteLength(text) / 2))
  return Buffer.from(JSON.stringify({ ...rest, body: text }))
}
