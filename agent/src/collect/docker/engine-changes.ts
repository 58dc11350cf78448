import type { EngineClient } from './client.ts'

/** Detects container changes through Docker's event stream (`GET /events`). Podman's events have other names. */
export type EngineChanges = {
  /** Opens the container engine's event stream for a minute, unless it is already open. */
  readonly subscribe: () => void
  /** Returns a number that changes with each event: equal marks mean no change in between. `undefined` while no stream is open. */
  readonly mark: () => number | undefined
}

/** Names of events that change the list of running containers by more than its uptime texts. */
const events = ['start', 'die', 'pause', 'unpause', 'rename', 'update', 'health_status', 'destroy']
const filters = JSON.stringify({ type: ['container'], event: events })
const EVENTS_PATH = `/events?filters=${encodeURIComponent(filters)}`

/** Duration of one event stream, in ms. Only frequent samples open it, so it closes soon after the last live viewer has left. */
const HEARD_MS = 60_000
/** Size limit of one event stream: several hundred events. Beyond it, the stream closes early. */
const MAX_BYTES = 256 * 1024
/** Retry delay after the stream was refused, in ms. Some proxies do not allow it. */
const REFUSED_MS = 60_000

export function createEngineChanges(engine: EngineClient, nowMs: () => number): EngineChanges {
  let isAsked = false
  let isHeard = false
  let count = 0
  let notBeforeMs = 0

  const listen = async (): Promise<void> => {
    const onHead = (status: number): void => {
      isHeard = status === 200
    }
    await engine.getPieces(EVENTS_PATH, { maxBytes: MAX_BYTES, deadlineMs: HEARD_MS }, { onHead, onPiece: () => void count++ })
    if (!isHeard) notBeforeMs = nowMs() + REFUSED_MS
    isAsked = false
    isHeard = false
    // Events may be missed until the next stream, so older marks become invalid.
    count++
  }

  return {
    subscribe: () => {
      if (isAsked || nowMs() < notBeforeMs) return
      isAsked = true
      void listen()
    },
    mark: () => (isHeard ? count : undefined),
  }
}
