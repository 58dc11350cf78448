import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Engine } from '../../records/engine/engine.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { loadNewestHealth } from '../health/health-table.ts'
import { labelText, type Exposition } from './exposition.ts'
import type { FamilyName } from './families.ts'

type HubFacts = {
  /**
   * Records of those systems that the user of the `/metrics` request may view. They give the metric with the number of systems by status.
   */
  readonly systems: readonly StoredRecord[]
  readonly isAdmin: boolean
  readonly statuses: readonly string[]
}

/**
 * Maximum age in ms (150 s) of the hub's newest measurement of itself, up to which `/metrics` exposes it. It is stored each minute; an
 * older one is left out.
 */
const FRESH_MS = 150_000

/**
 * Adds the metrics of the hub itself to the collector `all` of a `/metrics` response. Every user gets the hub's version, only admins all
 * others.
 */
export async function addHub(all: Exposition<FamilyName>, engine: Engine, { systems, isAdmin, statuses }: HubFacts): Promise<void> {
  all.add('vedette_hub', labelText([['version', VEDETTE_VERSION]]), 1)
  if (!isAdmin) return
  all.add('vedette_hub_uptime_seconds', '', process.uptime())
  const counts = Map.groupBy(systems, (system) => textOf(system, 'status'))
  for (const status of statuses) all.add('vedette_hub_systems', labelText([['status', status]]), counts.get(status)?.length ?? 0)
  const health = await loadNewestHealth(engine.database, engine.clock.now() - FRESH_MS)
  if (health === undefined) return
  const values: readonly (readonly [FamilyName, number | null])[] = [
    ['vedette_hub_connected_agents', health.agents],
    ['vedette_hub_cpu_ratio', health.cpuPercent / 100],
    ['vedette_hub_resident_memory_bytes', health.residentBytes],
    ['vedette_hub_heap_bytes', health.heapBytes],
    ['vedette_hub_event_loop_delay_seconds', health.loopLateMs / 1000],
    ['vedette_hub_database_size_bytes', health.databaseBytes],
    ['vedette_hub_waiting_samples', health.waitingSamples],
    ['vedette_hub_waiting_messages', health.waitingMessages],
    ['vedette_hub_waiting_log_entries', health.waitingLogs],
  ]
  for (const [family, value] of values) if (value !== null) all.add(family, '', value)
}
