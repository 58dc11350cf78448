import { setImmediate as othersTurn } from 'node:timers/promises'
import type { History, SystemHistory } from '../../history/model/history.ts'
import type { SeriesKey } from '@vedette/protocol/metrics/series'
import type { Engine } from '../../records/engine/engine.ts'
import { ownValue } from '@vedette/protocol/own-value'
import { isJsonObject } from '../../platform/json.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { seesEverything } from '../../records/engine/access.ts'
import { visibleRecords } from '../../records/reading/visible-records.ts'
import { exposition, labelText, type Exposition, type SampleLabel } from './exposition.ts'
import { families, type FamilyName } from './families.ts'
import { addHub } from './hub-metrics.ts'
import { exposedContainerSeries, exposedSystemSeries, type ExposedSeries } from './exposed-series.ts'
import type { RequestFacts } from '../../records/filter/filter-names.ts'

/**
 * Maximum age of a system's newest sample, in ms (150 s), up to which `/metrics` exposes its values. Agents send one a minute; the values
 * of older samples are left out, so that Prometheus marks the series as stale.
 */
const FRESH_MS = 150_000
/**
 * Maximum number of metric samples of one system in a `/metrics` response: 1000. Further ones are left out, so that an agent with thousands
 * of containers cannot fill the memory. `MOST_SAMPLES` limits the whole response.
 */
const MOST_OF_A_SYSTEM = 1000
const MOST_SAMPLES = 200_000
/**
 * Maximum number of systems whose newest samples `/metrics` reads from the history at once: 25. Between two such batches, the hub handles
 * other requests.
 */
const BATCH = 25

const statuses = ['up', 'down', 'paused', 'pending'] as const

export type ExpositionParts = { readonly engine: Engine; readonly history: History }

/** Collects the metrics for a `/metrics` request: those of the systems that its user may list and, for admins, those of the hub. */
export async function collectExposition({ engine, history }: ExpositionParts, facts: RequestFacts): Promise<Exposition<FamilyName>> {
  const all = exposition(families, MOST_SAMPLES)
  const nowMs = engine.clock.now()
  const systems = await visibleRecords(engine, 'systems', facts)
  await addHub(all, engine, { systems, isAdmin: seesEverything(facts), statuses })
  let leftOut = 0
  for (const system of systems) addStatus(all, system)
  const up = systems.filter((system) => system['status'] === 'up')
  for (let from = 0; from < up.length; from += BATCH) {
    leftOut += await addSamples(all, history, up.slice(from, from + BATCH), nowMs)
    // Reads of SQLite are synchronous. Lets samples and other requests run in between.
    await othersTurn()
  }
  all.add('vedette_metrics_left_out_samples', '', leftOut)
  return all
}

const labelsOf = (system: StoredRecord): readonly SampleLabel[] => [
  ['system', textOf(system, 'name')],
  ['system_id', system.id],
]

/** Adds the status of a system to the collector of a `/metrics` response. If the system is up, also its agent's version and its uptime. */
function addStatus(all: Exposition<FamilyName>, system: StoredRecord): void {
  const labels = labelsOf(system)
  const status = textOf(system, 'status')
  all.add('vedette_system_up', labelText(labels), status === 'up' ? 1 : 0)
  for (const one of statuses) all.add('vedette_system_status', labelText([...labels, ['status', one]]), one === status ? 1 : 0)
  const { info = null } = system
  if (status !== 'up' || !isJsonObject(info)) return
  const { u: uptimeSeconds, v: version } = { u: ownValue(info, 'u'), v: ownValue(info, 'v') }
  if (typeof version === 'string' && version !== '') all.add('vedette_system', labelText([...labels, ['agent_version', version]]), 1)
  // 0 stands for an unknown uptime there.
  if (typeof uptimeSeconds === 'number' && uptimeSeconds > 0) all.add('vedette_system_uptime_seconds', labelText(labels), uptimeSeconds)
}

/**
 * Adds the values of each system's newest sample to the `/metrics` response. Resolves to the number of metric samples that were left out
 * because a limit was reached.
 */
async function addSamples(all: Exposition<FamilyName>, history: History, systems: readonly StoredRecord[], nowMs: number): Promise<number> {
  const byId = new Map(systems.map((system) => [system.id, system]))
  const query = { systems: [...byId.keys()], tier: '1m', window: { fromMs: nowMs - FRESH_MS, toMs: nowMs + 1 } } as const
  const isWanted = (key: SeriesKey): boolean => !key.startsWith('cpu.core.')
  const [system, containers] = await Promise.all([
    history.read({ ...query, kind: 'system', isWanted }),
    history.read({ ...query, kind: 'containers' }),
  ])
  const used = new Map<string, number>()
  let leftOut = 0
  for (const [found, metric] of [
    ...system.map((one) => [one, exposedSystemSeries] as const),
    ...containers.map((one) => [one, exposedContainerSeries] as const),
  ]) {
    const record = byId.get(found.system)
    if (record === undefined) continue
    const before = used.get(record.id) ?? 0
    const { added, over } = addNewest(all, { found, record, metric, most: MOST_OF_A_SYSTEM - before })
    used.set(record.id, before + added)
    leftOut += over
  }
  return leftOut
}

type Newest = {
  readonly found: SystemHistory
  readonly record: StoredRecord
  readonly metric: (key: SeriesKey) => ExposedSeries | undefined
  /**
   * Maximum number of metric samples that may still be added to the `/metrics` response for this system. Further ones are left out and
   * counted.
   */
  readonly most: number
}

function addNewest(all: Exposition<FamilyName>, { found: { table }, record, metric, most }: Newest) {
  const last = table.times.length - 1
  const labels = labelsOf(record)
  const known = new Set<string>()
  let over = 0
  const atMs = table.times[last]
  if (atMs === undefined) return { added: 0, over }
  if (metric === exposedSystemSeries) all.add('vedette_system_last_sample_timestamp_seconds', labelText(labels), atMs / 1000)
  for (const { key, average } of table.series) {
    const value = average[last] ?? Number.NaN
    const found = Number.isNaN(value) ? undefined : metric(key)
    if (found === undefined) continue
    const text = labelText([...labels, ...found.labels])
    const name = `${found.family} ${text}`
    // Two long names may be equal once shortened. Prometheus refuses a response with a duplicate.
    if (known.has(name)) continue
    if (known.size >= most || !all.add(found.family, text, value * found.factor)) over += 1
    else known.add(name)
  }
  return { added: known.size, over }
}
