import type { ConnectionLimitSettings } from '../limits/connection-limits.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** The limits that the hub sets to the other end of a connection. docs/hub.md lists them. */
export type PeerLimits = ConnectionLimitSettings & {
  /** Connections of one account. */
  readonly connectionsPerAccount: number
  /** From the connection, or from the first byte of a later request, to the end of the headers. */
  readonly headersMs: number
  /** The whole body of a request without a valid session. */
  readonly guestBodyMs: number
  readonly guestBodyBytes: number
  /** The whole body of a request with a valid session; not of a backup that is uploaded. */
  readonly bodyMs: number
  readonly bodyBytes: number
  /** Longest time without a byte of a backup that is uploaded. */
  readonly uploadStalledMs: number
  /** Longest time without a byte of a response that is sent. */
  readonly stalledMs: number
  /** A response that waits to be read has `stalledMs` and in addition the time that its bytes take at this rate. */
  readonly readBytesPerSecond: number
  /** Requests that one connection may send before the first one is answered (RFC 9112, 9.3.2). */
  readonly pipelinedRequests: number
  /** Requests of one account, or of guests of one address, that are worked on at once; others wait for their turn. */
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
  // The largest request is a record with the largest JSON fields, with space for a form around it.
  bodyBytes: 8 * MEBIBYTE,
  uploadStalledMs: 60_000,
  stalledMs: 60_000,
  readBytesPerSecond: 16 * KIBIBYTE,
  pipelinedRequests: 32,
  requestsAtOnce: 16,
}
