import type { Json } from '@vedette/protocol/wire/stats-json'

/** Messages between the hubs of one database. At most once: what is lost is made up for by reading the database. A port: NATS today. */
export type HubMessages = {
  /** Sends to every other hub. The subject is words with dots between them. Does nothing while there is no connection. */
  readonly publish: (subject: string, message: Json) => void
  /**
   * Calls the listener with messages of other hubs. `>` at the end of the subject stands for any words. The message {@link LOST} stands
   * for messages that did not arrive. Returns the function that unsubscribes.
   */
  readonly subscribe: (subject: string, listener: HubListener) => () => void
  /** Asks one hub, by its id. Rejects with `HubUnreachableError` without an answer before the signal aborts. */
  readonly ask: (hub: string, question: string, body: Json, signal: AbortSignal) => Promise<Json>
  /** Answers a question of other hubs. The signal aborts when the asker has given up. Returns the function that stops it. */
  readonly answer: (question: string, respond: Respond) => () => void
  readonly isConnected: () => boolean
  /** Calls the listener when the connection is lost or is back. Returns the function that removes it. */
  readonly onConnection: (listener: (isConnected: boolean) => void) => () => void
  readonly close: () => Promise<void>
}

export type HubListener = (message: Json, subject: string) => void
export type Respond = (body: Json, signal: AbortSignal) => Promise<Json>

/** Received instead of messages that were too large, or more than the connection could take: the listener reads the database. */
export const LOST = null

/** Another hub gave no response. The message is one sentence. */
export class HubUnreachableError extends Error {
  override readonly name = 'HubUnreachableError'
}

/** Thrown when the hub must not start with these messages. The message is one sentence for the operator. */
export class HubMessagesUnusableError extends Error {
  override readonly name = 'HubMessagesUnusableError'
}
