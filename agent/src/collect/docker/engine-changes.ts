import type { EngineClient } from './client.ts'

/**
 * Functions that detect container changes through Docker's event stream (`GET /events`). Only for Docker, since Podman's events have other
 * names.
 */
export type EngineChanges = {
  /**
   * Opens Docker's event stream in the background, for at most 60 s. Does nothing while it is open or opening, or within 60 s after Docker
   * refused it.
   */
  readonly subscribe: () => void
  /**
   * Returns a number that changes with each Docker event: equal numbers mean no change of containers in between. `undefined` while no event
   * stream is open.
   */
  readonly mark: () => number | undefined
}

/** List of the names of the Docker events that make a cached container list outdated, such as `start` and `die`. */
const events = ['start', 'die', 'pause', 'unpause', 'rename', 'update', 'health_status', 'destroy']
const filters = JSON.stringify({ type: ['container'], event: events })
const EVENTS_PATH = `/events?filters=${encodeURIComponent(filters)}`

/**
 * Maximum duration in ms, 60 s, for which one event stream of Docker stays open. Only frequent samples open it, so it closes soon after the
 * last live viewer has left.
 */
const HEARD_MS = 60_000
/** Size limit of one event stream of Docker in bytes, 256 KiB: several hundred events. Beyond it, the agent closes the stream early. */
const MAX_BYTES = 256 * 1024
/**
 * Time in ms, 60 s, for which the agent does not try to open Docker's event stream again after a refusal. The refusal comes from Docker or
 * from a proxy before it.
 */
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
