import { fnv1a } from '../../platform/fnv1a.ts'

const encoder = new TextEncoder()

/** How often a system is asked. */
export const POLL_EVERY_MS = 60_000

/** An agent answers from its last measurement for half a minute; asking sooner would store that one twice. */
const LEAST_DISTANCE_MS = 28_000

/** Somebody who watches sees each system at a moment of its own, nearly. */
const WATCHED_TOGETHER_MS = 100
/** Otherwise up to so many are asked together, those of a second at most: a fleet does not wake the hub for each of its answers. */
const ASKED_TOGETHER = 20
const TOGETHER_MS = [1000, 500, 200] as const

/**
 * Systems whose moments are closer than this, in milliseconds, are asked at the beginning of that stretch. What is stored
 * and told together costs far less than one by one, but a large group would hold up everybody else.
 */
export function groupMs(systems: number, isWatched: boolean): number {
  if (isWatched) return WATCHED_TOGETHER_MS
  return TOGETHER_MS.find((ms) => (systems * ms) / POLL_EVERY_MS <= ASKED_TOGETHER) ?? WATCHED_TOGETHER_MS
}

/**
 * A system's own moment within the minute, from its id: any number of systems spreads evenly, and a restart moves none.
 * `stretchMs`: see {@link groupMs}.
 */
export function phaseOf(systemId: string, stretchMs: number): number {
  const moment = fnv1a(encoder.encode(systemId)) % POLL_EVERY_MS
  return moment - (moment % stretchMs)
}

/**
 * Milliseconds from `nowMs` to the next poll: at the system's phase, in this minute or the next, but never so soon after
 * the last one that nothing new was measured, nor so late that the gap would be drawn as one (90 s).
 */
export function untilNextPoll(systemId: string, nowMs: number, stretchMs: number): number {
  const wait = POLL_EVERY_MS - ((nowMs + POLL_EVERY_MS - phaseOf(systemId, stretchMs)) % POLL_EVERY_MS)
  return wait < LEAST_DISTANCE_MS ? wait + POLL_EVERY_MS : wait
}
