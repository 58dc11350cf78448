import { checkedConnection, connectionFailureOf } from '../../platform/outgoing/checked-connection.ts'
import { UnreachableError } from '../../platform/outgoing/reachable-address.ts'
import { errorCode } from '../../platform/error-code.ts'
import type { AttemptOutcome, MqttPublication } from './channel.ts'
import { connackCode, connectPacket, disconnectPacket, isPuback, publishPacket, REPLY_BYTES } from './mqtt-packets.ts'

const STANDARD_DEADLINE_MS = 15_000

type PublishOptions = {
  /** Function that gets a resolved IP address of the MQTT broker, and returns true when the hub may connect to it. */
  readonly mayAsk: (address: string) => boolean
  /** Time limit in ms for the publication of one message: name lookup, connection and confirmation together. 15,000 by default. */
  readonly deadlineMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Error for a broker that breaks the protocol or closes the connection. Its message contains no byte of the broker. */
class BrokerError extends Error {
  override readonly name = 'BrokerError'
}

/**
 * Publishes one message to an MQTT broker on its own connection, which is always closed afterwards. Resolves to the outcome: delivered once
 * the broker confirmed it, otherwise why it was refused. Rejects with {@link UnreachableError} without a valid response.
 */
export async function publishToBroker(publication: MqttPublication, options: PublishOptions): Promise<AttemptOutcome> {
  const { mayAsk, deadlineMs = STANDARD_DEADLINE_MS, signal: within } = options
  const late = AbortSignal.timeout(deadlineMs)
  const signal = within === undefined ? late : AbortSignal.any([late, within])
  try {
    const socket = await checkedConnection({ ...publication, signal, mayAsk })
    try {
      const chunks: AsyncIterator<Buffer, unknown> = socket[Symbol.asyncIterator]()
      socket.write(connectPacket(publication))
      const code = connackCode(await nextReply(chunks))
      if (code === undefined) throw new BrokerError(NOT_MQTT)
      if (code !== 0) return refusalOf(code)
      socket.write(publishPacket(publication))
      if (!isPuback(await nextReply(chunks))) throw new BrokerError(NOT_MQTT)
      socket.write(disconnectPacket)
      socket.destroySoon()
      return { outcome: 'delivered' }
    } finally {
      // After a success the last packet is still on its way. The signal ends a connection whose peer does not read it.
      if (!socket.writableEnded) socket.destroy()
    }
  } catch (error) {
    if (error instanceof UnreachableError) throw error
    throw new UnreachableError(`publishing to "${urlOf(publication)}": ${wordsOf(error, deadlineMs)}`, { cause: error })
  }
}

const NOT_MQTT = 'the server answered with something other than MQTT'

const urlOf = ({ isEncrypted, hostname, port }: MqttPublication): string => `${isEncrypted ? 'mqtts' : 'mqtt'}://${hostname}:${port}`

function wordsOf(error: unknown, deadlineMs: number): string {
  if (error instanceof BrokerError) return error.message
  return errorCode(error) === 'ECONNREFUSED' ? 'connection refused' : connectionFailureOf(error, deadlineMs)
}

/**
 * Resolves to the next packet of the MQTT broker, exactly 4 bytes, from an iterator of received chunks. Rejects with {@link BrokerError}
 * when the connection ends or has more bytes, which no broker sends to a publisher.
 */
async function nextReply(chunks: AsyncIterator<Buffer, unknown>): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < REPLY_BYTES) {
    const next = await chunks.next()
    if (next.done === true) throw new BrokerError('the server closed the connection')
    bytes = Buffer.concat([bytes, next.value])
  }
  if (bytes.length > REPLY_BYTES) throw new BrokerError(NOT_MQTT)
  return bytes
}

/**
 * Map from the return code of an MQTT CONNACK packet to a text for the user (MQTT 3.1.1, 3.2.2.3). It has only the codes after which a
 * retry is useless, such as a wrong password.
 */
const finalRefusals: ReadonlyMap<number, string> = new Map([
  [1, 'the server does not accept MQTT 3.1.1'],
  [2, 'the server rejected the client id'],
  [4, 'the server rejected the user name or the password'],
  [5, 'the server does not authorize this connection'],
])

function refusalOf(code: number): AttemptOutcome {
  const reason = finalRefusals.get(code)
  if (reason !== undefined) return { outcome: 'refused', reason }
  return { outcome: 'later', reason: code === 3 ? 'the server is unavailable' : `the server refused the connection with code ${code}` }
}
