import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toContainerStatsJson, toStatsJson, type Json, type JsonObject } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../src/platform/json.ts'
import type { StoredRecord } from '../src/records/model/stored-record.ts'
import type { RunningFleet } from './running-fleet.ts'
import { storedSamples } from './stored-samples.ts'

const vectors = join(import.meta.dirname, '..', '..', 'protocol', 'vectors')

/** A recording of agents or hubs; the test that uses it names its shape. */
export function readLinkVector(path: string): unknown {
  return JSON.parse(readFileSync(join(vectors, path), 'utf8'))
}

/** Records that the recorded hub stored for a document. */
export type Stored = {
  readonly status: string
  readonly systems_info: JsonObject | null
  readonly system_stats: JsonObject | null
  readonly container_stats: readonly Json[] | null
  readonly containers: readonly JsonObject[]
  readonly system_details: JsonObject | null
  readonly systemd_services: readonly JsonObject[]
}

/** Records that our hub stored for a document, in the same format. */
export async function storedBy({ records, history }: RunningFleet, system: StoredRecord): Promise<Stored> {
  const newest = async (kind: 'system' | 'containers') => (await storedSamples(history, kind, system.id)).at(-1)?.values
  const [stats, containers] = [await newest('system'), await newest('containers')]
  return {
    status: String(system['status']),
    systems_info: system['info'] as JsonObject, // the hub's own
    system_stats: stats === undefined ? null : toStatsJson(stats),
    container_stats: containers === undefined ? null : toContainerStatsJson(containers),
    containers: await records.loadWhere('containers', { system: system.id }),
    system_details: (await records.load('system_details', system.id)) ?? null,
    systemd_services: await records.loadWhere('systemd_services', { system: system.id }),
  }
}

/**
 * Where what we have differs from what a real hub has: what it says and we do not, or say differently. It writes zeros where
 * nothing is known, which we may leave out. Numbers of series are rounded again, so they may be off by the last digit.
 */
export function differences(ours: Json | undefined, theirs: Json, path = ''): string[] {
  if (Array.isArray(theirs)) {
    const list: readonly Json[] = Array.isArray(ours) ? ours : []
    return (theirs as readonly Json[]).flatMap((one, at) => differences(list[at], one, `${path}.${at}`))
  }
  if (isJsonObject(theirs)) {
    const object = ours !== undefined && isJsonObject(ours) ? ours : {}
    return Object.entries(theirs).flatMap(([key, one]) => differences(object[key], one, `${path}.${key}`))
  }
  return agree(ours, theirs) ? [] : [`${path}: ${JSON.stringify(ours)}, a real hub has ${JSON.stringify(theirs)}`]
}

function agree(ours: Json | undefined, theirs: Json): boolean {
  if (theirs === null || theirs === '' || theirs === false) return true
  if (typeof theirs !== 'number' || typeof ours !== 'number') return ours === theirs || (theirs === 0 && ours === undefined)
  return Math.abs(ours - theirs) <= 0.011 + Math.abs(theirs) * 1e-5
}

/** Lists whose order means nothing, by name. */
export const byName = (list: readonly Json[] | null, key: 'n' | 'name'): JsonObject =>
  Object.fromEntries((list ?? []).flatMap((one) => (isJsonObject(one) ? [[String(one[key]), one] as const] : [])))
