import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../clock.ts'
import { onceAMinute } from '../limits/once-a-minute.ts'
import type { Log } from '../log.ts'
import { LOST, type HubListener, type HubMessages } from './hub-messages.ts'
import type { NatsAddress } from './nats-address.ts'
import { openNatsLink, type LinkMessage } from './nats-link.ts'
import { natsQuestions } from './nats-questions.ts'

export type NatsMessagesParts = {
  readonly address: NatsAddress
  /** Id of the database, which is contained in each NATS subject. Hubs of several databases can thus share one NATS. */
  readonly database: string
  /** Id of this hub, by which other hubs address their requests to it. */
  readonly hub: string
  /** Name of this hub for its NATS connection, which the monitoring of the NATS server shows. */
  readonly name: string
  readonly log: Log
  readonly clock: Clock
  readonly mostPendingBytes?: number
  readonly silentMs?: number
}

/**
 * Last word (`lost`) of a NATS subject. A hub sends a message on it to all other hubs when messages of its own were lost; they then read
 * the database.
 */
const LOST_SUBJECT = 'lost'

/**
 * Opens the messages between hubs over NATS, as JSON below the subject `vedette.DATABASE`. Also opens while NATS is unreachable. Rejects
 * with `HubMessagesUnusableError` when login or permissions are wrong.
 */
export async function openNatsMessages(parts: NatsMessagesParts): Promise<HubMessages> {
  const { hub, log, clock } = parts
  const prefix = `vedette.${parts.database}`
  const link = await openNatsLink({ ...parts, prefix, name: `vedette hub ${parts.name}` })
  const isFirst = onceAMinute(clock)
  const listeners = new Map<HubListener, string>()
  const lostBytes = encoded(LOST)

  const reportLost = (): void => void link.send(`${prefix}.${LOST_SUBJECT}`, lostBytes)
  let isAnyLost = false
  link.onSendable(reportLost)
  link.onConnection((isConnected) => {
    // The other hubs stayed connected, or reconnected before this one.
    if (isConnected && isAnyLost) reportLost()
    isAnyLost = false
  })
  link.listen(`${prefix}.${LOST_SUBJECT}`, () => {
    for (const [listener, subject] of listeners) listener(LOST, subject)
  })

  function read({ subject, data }: LinkMessage): Json | undefined {
    try {
      return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8')) as Json // what JSON.parse returns
    } catch (error) {
      if (isFirst('damaged')) log.warn('message from another hub is malformed', { subject, error })
      return undefined
    }
  }

  return {
    publish(subject, message) {
      if (!link.isConnected()) {
        isAnyLost = true
        return
      }
      const data = encoded(message)
      const isTooLarge = data.length > link.mostBytes()
      if (isTooLarge && isFirst('too large')) log.error('message to other hubs is too large', { subject, bytes: data.length })
      link.send(`${prefix}.${subject}`, isTooLarge ? lostBytes : data)
    },
    subscribe(subject, listener) {
      // A wrapper, because one function may listen to several subjects.
      const own: HubListener = (message, at) => listener(message, at)
      listeners.set(own, subject)
      const stop = link.listen(`${prefix}.${subject}`, (message) => {
        const content = read(message)
        if (content !== undefined) own(content, message.subject.slice(prefix.length + 1))
      })
      return () => {
        listeners.delete(own)
        stop()
      }
    },
    ...natsQuestions({ link, prefix, hub, log }),
    isConnected: link.isConnected,
    onConnection: link.onConnection,
    close: link.close,
  }
}

const encoder = new TextEncoder()
const encoded = (message: Json): Uint8Array => encoder.encode(JSON.stringify(message))
