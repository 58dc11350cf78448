import type { ConnectionLimitSettings } from '../limits/connection-limits.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Limits for connections and requests of HTTP clients: numbers, sizes and timeouts. docs/hub.md lists their values. */
export type PeerLimits = ConnectionLimitSettings & {
  /** Maximum number of open HTTP connections of one account. One more closes the account's oldest. */
  readonly connectionsPerAccount: number
  /**
   * Timeout for the complete headers of an HTTP request, in ms. It begins with the connection, or with the first byte of a later request.
   */
  readonly headersMs: number
  /** Timeout for receiving the complete body of an HTTP request without a valid session, in ms. */
  readonly guestBodyMs: number
  readonly guestBodyBytes: number
  /** Timeout for the complete body of an HTTP request with a valid session, in ms. Backup uploads are exempt. */
  readonly bodyMs: number
  readonly bodyBytes: number
  /** Maximum time between two received bytes of a backup upload, in ms. Then the upload fails. */
  readonly uploadStalledMs: number
  /** Maximum time in ms for which an HTTP client may read nothing of a response that the hub is sending to it. */
  readonly stalledMs: number
  /**
   * Minimum rate at which a client must read a response, in bytes a second. To the time `stalledMs` the hub adds the unsent bytes divided
   * by this rate.
   */
  readonly readBytesPerSecond: number
  /** Maximum number of pipelined requests on a connection (RFC 9112, 9.3.2). One more closes the connection. */
  readonly pipelinedRequests: number
  /**
   * Maximum number of requests that the hub handles at once for one account, or for all guests of one IPv4 address or IPv6 /64 network.
   * Further requests wait in a queue.
   */
  readonly requestsAtOnce: number
}

export const standardPeerLimits: PeerLimits = {
  unprovedPerSource: 4096,
  unproved: 16_384,
  unprovedBytesPerSource: 16 * MEBIBYTE,
  bytesPerOwner: 64 * MEBIBYTE,
  connectionsPerAccount: 2048,
  headersMs: 15_000,
  guestBodyMs: 20_000,
  // The largest request of a guest is a list of realtime topics.
  guestBodyBytes: 256 * KIBIBYTE,
  bodyMs: 60_000,
  // The largest request is a record with JSON fields of maximum size, plus the form around it.
  bodyBytes: 8 * MEBIBYTE,
  uploadStalledMs: 60_000,
  stalledMs: 60_000,
  readBytesPerSecond: 16 * KIBIBYTE,
  pipelinedRequests: 32,
  requestsAtOnce: 16,
}
