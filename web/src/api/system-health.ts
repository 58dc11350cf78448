import type { System } from './system-record.ts'

/** Name of the health of a system for display: its status, or `stale` when it is up but its last sample is too old. */
export type SystemHealth = 'down' | 'stale' | 'pending' | 'paused' | 'up'

/** Age of the last sample in ms above which a system that is up counts as stale. */
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

/** Returns the number of systems in each health state. `now` is epoch ms, to detect stale ones. */
export function countHealths(systems: readonly System[], now: number): HealthCounts {
  const counts = { down: 0, stale: 0, pending: 0, paused: 0, up: 0 }
  for (const system of systems) counts[healthOf(system, now)]++
  return counts
}
