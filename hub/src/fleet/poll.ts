/** How often a system is asked. */
export const POLL_EVERY_MS = 60_000

/** An agent answers from its last measurement for half a minute; asking sooner would store that one twice. */
const LEAST_DISTANCE_MS = 28_000

/** Systems whose moments are closer than this are asked together: a fleet does not wake the hub for each of its answers. */
const TOGETHER_MS = 100

/** A system's own moment within the minute, from its id: any number of systems spreads evenly, and a restart moves none. */
export function phaseOf(systemId: string): number {
  let hash = 0x811c9dc5 // FNV-1a, 32 bit
  for (let index = 0; index < systemId.length; index++) hash = Math.imul(hash ^ systemId.charCodeAt(index), 0x01000193)
  const moment = (hash >>> 0) % POLL_EVERY_MS
  return moment - (moment % TOGETHER_MS)
}

/**
 * Milliseconds from `nowMs` to the next poll: at the system's phase, in this minute or the next, but never so soon after
 * the last one that nothing new was measured, nor so late that the gap would be drawn as one (90 s).
 */
export function untilNextPoll(systemId: string, nowMs: number): number {
  const wait = POLL_EVERY_MS - ((nowMs + POLL_EVERY_MS - phaseOf(systemId)) % POLL_EVERY_MS)
  return wait < LEAST_DISTANCE_MS ? wait + POLL_EVERY_MS : wait
}
