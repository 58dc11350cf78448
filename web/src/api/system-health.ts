import type { System } from './system-record.ts'

/** Displayed health of a system: its status, or `stale` when the status is up but the last sample is over 150 s old. */
export type SystemHealth = 'down' | 'stale' | 'pending' | 'paused' | 'up'

/** Age of the last sample, in ms, above which a system with the status up is displayed as stale: 150,000. */
const STALE_AFTER_MS = 150_000

export function healthOf(system: System, now: number): SystemHealth {
  const { sampledAtMs } = system.latest
  const isStale = system.status === 'up' && sampledAtMs !== undefined && now - sampledAtMs > STALE_AFTER_MS
  return isStale ? 'stale' : system.status
}

export type HealthCounts = Readonly<Record<SystemHealth, number>>

/**
 * Returns true when at least one system is stale (last sample too old) and none is up. The cause may then be the hub rather than the
 * systems.
 */
export const isEverySystemStale = (counts: HealthCounts | undefined): boolean => counts !== undefined && counts.stale > 0 && counts.up === 0

/**
 * Returns an object with the number of systems in each health state. `now` is the hub's time in epoch ms, by which stale systems are
 * detected.
 */
export function countHealths(systems: readonly System[], now: number): HealthCounts {
  const counts = { down: 0, stale: 0, pending: 0, paused: 0, up: 0 }
  for (const system of systems) counts[healthOf(system, now)]++
  return counts
}
