import type { MqttPublication } from './channel.ts'

/** Protocol level (4) in the CONNECT packet, which means MQTT 3.1.1. It is the first version that all brokers of today accept. */
const PROTOCOL_LEVEL = 4
/**
 * Keep-alive in the CONNECT packet, in s (60): a time without packets after which the MQTT broker ends the connection. A publication takes
 * less.
 */
const KEEP_ALIVE_S = 60
/** MQTT packet identifier (1) of the only message that is published on a connection. */
const MESSAGE_ID = 1

/** Number of bytes (4) of each packet that an MQTT broker sends to a publisher: CONNACK and PUBACK. */
export const REPLY_BYTES = 4

const packet = (header: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([header, ...lengthBytes(body.length)]), body])
}

/**
 * Encodes the remaining length of an MQTT packet as a list of bytes, lowest first (MQTT 3.1.1, 2.2.3). Each byte holds 7 bits of the
 * number.
 */
function lengthBytes(length: number): readonly number[] {
  const rest = Math.floor(length / 128)
  return rest === 0 ? [length] : [(length % 128) | 0x80, ...lengthBytes(rest)]
}

const shortNumber = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

function textField(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([shortNumber(bytes.length), bytes])
}

/** Encodes the MQTT CONNECT packet that begins a connection for one publication, with a clean session. */
export function connectPacket({ clientId, user, password }: MqttPublication): Buffer {
  const flags = 0x02 | (user === '' ? 0 : 0x80) | (password === '' ? 0 : 0x40)
  const credentials = [user, password].filter((text) => text !== '').map(textField)
  const head = [textField('MQTT'), Buffer.from([PROTOCOL_LEVEL, flags]), shortNumber(KEEP_ALIVE_S)]
  return packet(0x10, ...head, textField(clientId), ...credentials)
}

/** Encodes the MQTT PUBLISH packet of one message, with QoS 1: the broker confirms it. */
export const publishPacket = ({ topic, payload, isRetained }: MqttPublication): Buffer =>
  packet(isRetained ? 0x33 : 0x32, textField(topic), shortNumber(MESSAGE_ID), Buffer.from(payload))

/** Encoded MQTT packet DISCONNECT, which ends a connection after its publication. */
export const disconnectPacket = Buffer.from([0xe0, 0])

/**
 * Returns the return code of an MQTT CONNACK packet of 4 bytes: 0 if the broker accepted the connection. `undefined` if the bytes are no
 * CONNACK.
 */
export const connackCode = (bytes: Buffer): number | undefined =>
  bytes.length === REPLY_BYTES && bytes[0] === 0x20 && bytes[1] === 2 ? bytes[3] : undefined

/** Returns true if the bytes are the PUBACK packet with which an MQTT broker confirms the message of {@link publishPacket}. */
export const isPuback = (bytes: Buffer): boolean => bytes.equals(Buffer.from([0x40, 2, 0, MESSAGE_ID]))
