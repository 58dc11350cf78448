import { createHash } from 'node:crypto'
import { AddressError, requiredHost, requiredPart, type Address } from '../address.ts'
import { type Channel, type ChannelKind, type ChannelMessage, cutToBytes, oneLine, wholeText } from '../channel.ts'

const FORM = 'mqtt://[USER:PASSWORD@]HOST[:PORT]/TOPIC'
/**
 * Maximum length of a message that is published by MQTT, in bytes (32,768); a longer text is cut. Brokers can be configured to accept less
 * than the 256 MB of MQTT.
 */
const MOST_PAYLOAD_BYTES = 32_768
const MOST_TEXT_BYTES = 1000

/**
 * Kind of notification channel: a topic of an MQTT broker. Each message has a connection of its own and QoS 1. The standard client id comes
 * from the message's key.
 */
export const mqtt: ChannelKind = {
  name: 'MQTT',
  schemes: ['mqtt', 'mqtts'],
  read(address): Channel {
    requiredHost(address, FORM)
    const topic = topicOf(address)
    const isEncrypted = address.scheme === 'mqtts' && !address.flag('disabletls', false)
    const isJson = isJsonPayload(address)
    const clientId = address.option('clientid')
    const connection = {
      hostname: address.hostname,
      port: address.port === '' ? (isEncrypted ? 8883 : 1883) : Number(address.port),
      isEncrypted,
      acceptsAnyCertificate: address.flag('disabletlsverification', false),
      user: address.user,
      password: address.password,
      topic,
      isRetained: address.flag('retained', false),
    }
    checkTexts({ user: address.user, password: address.password, topic, 'client id': clientId ?? '' })
    if (address.user === '' && address.password !== '')
      throw new AddressError(`Cannot read the address: a password needs a user, expected ${FORM}`)
    return {
      secrets: [address.password],
      publication: (message) => ({
        ...connection,
        clientId: clientId ?? clientIdOf(message),
        payload: isJson ? jsonOf(message) : cutToBytes(wholeText(message), MOST_PAYLOAD_BYTES),
      }),
    }
  },
}

function topicOf({ rawPath, fragment }: Address): string {
  const topic = requiredPart(decoded(rawPath.replace(/^\//, '')), 'the topic', FORM)
  if (fragment !== '' || /[+#]/.test(topic)) throw new AddressError('Cannot read the address: a topic to publish to has no "+" and no "#"')
  return topic
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isJsonPayload(address: Address): boolean {
  const template = address.option('template')?.toLowerCase()
  if (template !== undefined && template !== 'json') throw new AddressError('Cannot read the address: "template" is not json')
  return template === 'json'
}

function checkTexts(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts))
    // MQTT 3.1.1, 1.5.3 forbids NUL in all texts. Line ends could be commands for a server of another protocol.
    if (Buffer.byteLength(text) > MOST_TEXT_BYTES || /\p{Cc}/u.test(text))
      throw new AddressError(`Cannot read the address: the ${name} has more than ${MOST_TEXT_BYTES} bytes or a control character`)
}

/**
 * Returns the client id of an MQTT connection for a message: `vedette` and 16 hex digits of the hash of its key. Every broker must accept
 * 23 ASCII letters and digits (MQTT 3.1.1, 3.1.3.1).
 */
const clientIdOf = ({ key }: ChannelMessage): string => `vedette${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

function jsonOf({ key, title, body, link, acknowledgeLink, severity, systemName }: ChannelMessage): string {
  const rest = { key, title: cutToBytes(oneLine(title), MOST_TEXT_BYTES), severity, system: systemName, link, acknowledge: acknowledgeLink }
  // A character may take 6 bytes in JSON.
  return JSON.stringify({ ...rest, message: cutToBytes(body, MOST_PAYLOAD_BYTES / 8) })
}
