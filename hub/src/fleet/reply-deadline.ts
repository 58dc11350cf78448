import type { Action } from '@vedette/protocol/wire/request'

/** How long an agent has for its answer, the two links alike. Drives are read one after the other, up to 15 s each. */
export const replyDeadlinesMs: Readonly<Record<Action, number>> = {
  data: 20_000,
  fingerprint: 10_000,
  'container-logs': 5000,
  'container-inspect': 5000,
  smart: 60_000,
  'service-details': 5000,
  diagnosis: 10_000,
}

/** A WebSocket is asked again sooner: its agent measures without waiting for a channel. */
export const WEBSOCKET_DATA_MS = 10_000
