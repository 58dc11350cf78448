import type { EngineClient } from './client.ts'

/** Whether something happened to a container, as Docker tells it while it happens (`GET /events`); Podman's events have other names. */
export type EngineChanges = {
  /** Hears for a minute from now on, unless it does already. */
  readonly hear: () => void
  /** Of two moments the same where nothing happened in between; `undefined` while nothing would be heard. */
  readonly mark: () => number | undefined
}

/** Whatever the list of running containers says otherwise afterwards, but for the time that passes. */
const events = ['start', 'die', 'pause', 'unpause', 'rename', 'update', 'health_status', 'destroy']
const filters = JSON.stringify({ type: ['container'], event: events })
const EVENTS_PATH = `/events?filters=${encodeURIComponent(filters)}`

/** Only one who samples often hears, so it ends by itself soon after the last one looked. */
const HEARD_MS = 60_000
/** Of some hundred events; more of them end it early. */
const MAX_BYTES = 256 * 1024
/** After nothing was heard at all: a proxy may let nobody. */
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
    // Nobody knows what happened until it is heard again.
    count++
  }

  return {
    hear: () => {
      if (isAsked || nowMs() < notBeforeMs) return
      isAsked = true
      void listen()
    },
    mark: () => (isHeard ? count : undefined),
  }
}
