import type { Json } from '@vedette/protocol/wire/stats-json'

/** Messages between the hubs of one database. At most once: what is lost is made up for by reading the database. A port: NATS today. */
export type HubMessages = {
  /** Sends to every other hub. The subject is words with dots between them. Does nothing while there is no connection. */
  readonly publish: (subject: string, message: Json) => void
  /** Calls the listener with messages of other hubs. `>` at the end of the subject stands for any words. Returns the function that unsubscribes. */
  readonly subscribe: (subject: string, listener: (message: Json, subject: string) => void) => () => void
  /** Asks one hub, by its id. Rejects with `HubUnreachableError` without an answer before the signal aborts. */
  readonly ask: (hub: string, question: string, body: Json, signal: AbortSignal) => Promise<Json>
  /** Answers a question of other hubs. The signal aborts when the asker has given up. Returns the function that stops it. */
  readonly answer: (question: string, respond: (body: Json, signal: AbortSignal) => Promise<Json>) => () => void
  readonly isConnected: () => boolean
  /** Calls the listener when the connection is lost or is back. Returns the function that removes it. */
  readonly onConnection: (listener: (isConnected: boolean) => void) => () => void
  readonly close: () => Promise<void>
}
