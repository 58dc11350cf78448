import type { System } from './system-record.ts'

/** How a system is, as a person cares about it: its status, and "stale" for one that is up but has not been heard of. */
export type SystemHealth = 'down' | 'stale' | 'pending' | 'paused' | 'up'

/** A system that is up and whose last sample is older than this is stale. */
const STALE_AFTER_MS = 150_000

export function healthOf(system: System, now: number): SystemHealth {
  const { sampledAtMs } = system.latest
  const isStale = system.status === 'up' && sampledAtMs !== undefined && now - sampledAtMs > STALE_AFTER_MS
  return isStale ? 'stale' : system.status
}

export type HealthCounts = Readonly<Record<SystemHealth, number>>

/** Whether everybody who should be heard of is not: that may be the hub's doing. */
export const isNothingHeard = (counts: HealthCounts | undefined): boolean => counts !== undefined && counts.stale > 0 && counts.up === 0

/** How many systems there are of each health. */
export function countHealths(systems: readonly System[], now: number): HealthCounts {
  const counts = { down: 0, stale: 0, pending: 0, paused: 0, up: 0 }
  for (const system of systems) counts[healthOf(system, now)]++
  return counts
}
