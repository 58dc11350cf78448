import type { ConnectionLimitSettings } from '../limits/connection-limits.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Limits for the other end of a connection. docs/hub.md lists them. */
export type PeerLimits = ConnectionLimitSettings & {
  /** Maximum connections of one account. */
  readonly connectionsPerAccount: number
  /** Timeout of the headers, from the connection or from the first byte of a later request. */
  readonly headersMs: number
  /** Timeout of the complete body of a request without a valid session. */
  readonly guestBodyMs: number
  readonly guestBodyBytes: number
  /** Timeout of the complete body of a request with a valid session. Backup uploads are exempt. */
  readonly bodyMs: number
  readonly bodyBytes: number
  /** Maximum time without a byte of a backup upload. */
  readonly uploadStalledMs: number
  /** Maximum time without progress of a response. */
  readonly stalledMs: number
  /** Minimum read rate. An unread response has `stalledMs`, plus the time that its bytes take at this rate. */
  readonly readBytesPerSecond: number
  /** Maximum pipelined requests of a connection (RFC 9112, 9.3.2). */
  readonly pipelinedRequests: number
  /** Maximum concurrent requests of an account, or of guests of one address. Others are queued. */
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
  // A guest's largest request is a list of realtime topics.
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
