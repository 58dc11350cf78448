import type { Json } from '@vedette/protocol/wire/stats-json'

/**
 * Message connection between the hubs of one database, over NATS: messages to all hubs (`publish`, `subscribe`) and requests to one (`ask`,
 * `answer`). Messages are delivered at most once; a receiver reads the database to recover lost ones.
 */
export type HubMessages = {
  /**
   * Sends a message to every other hub of the database, under a subject (words with dots between them). A message that is too large or
   * cannot be sent is dropped. Then the other hubs get {@link LOST}, at the latest after the next connect.
   */
  readonly publish: (subject: string, message: Json) => void
  /**
   * Subscribes to messages of other hubs with this subject. A subject that ends with `>` matches any words in its place. The listener gets
   * {@link LOST} when messages were lost. Returns the function that unsubscribes.
   */
  readonly subscribe: (subject: string, listener: HubListener) => () => void
  /**
   * Sends a request of the kind `question` with a JSON body to one hub, by the hub's id, and resolves to the JSON response. Rejects with
   * `HubUnreachableError` if that hub is not connected, is busy, fails, or does not respond before the signal aborts.
   */
  readonly ask: (hub: string, question: string, body: Json, signal: AbortSignal) => Promise<Json>
  /**
   * Registers `respond`, the handler of requests of the kind `question` from other hubs. The abort signal that it receives aborts when the
   * requesting hub has given up, the connection is lost, or after 2 min. Returns the function that removes the handler.
   */
  readonly answer: (question: string, respond: Respond) => () => void
  readonly isConnected: () => boolean
  /**
   * Subscribes to changes of the message connection: the listener gets true when it is connected, false when lost. Returns the function
   * that unsubscribes.
   */
  readonly onConnection: (listener: (isConnected: boolean) => void) => () => void
  readonly close: () => Promise<void>
}

export type HubListener = (message: Json, subject: string) => void
export type Respond = (body: Json, signal: AbortSignal) => Promise<Json>

/**
 * Value that a listener of messages between hubs gets in place of messages that were lost. It must then read the changes from the database.
 */
export const LOST = null

/**
 * Thrown when a request to another hub failed: it is not connected, did not respond in time, or could not answer. The message is one
 * sentence.
 */
export class HubUnreachableError extends Error {
  override readonly name = 'HubUnreachableError'
}

/** Thrown when the hub must not start because the messages between hubs are misconfigured. The message is one sentence for the operator. */
export class HubMessagesUnusableError extends Error {
  override readonly name = 'HubMessagesUnusableError'
}
