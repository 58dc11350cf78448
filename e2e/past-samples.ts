import type { DiskHealth } from '@vedette/protocol/metrics/disk-health'
import { containerPoints, drivePoints, pointsOf, systemPoints, valuesOf } from '@vedette/protocol/metrics/series'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Stores } from '../hub/src/startup/open-stores.ts'
import { noteChanges } from '../hub/src/operations/system-events/system-events.ts'

/** Maximum number of past samples that are stored in one transaction: 500. */
const BATCH = 500

export type PastSystem = {
  readonly name: string
  /** Host name or address of the added system's agent; 127.0.0.1 when absent. */
  readonly host?: string
  readonly port: number
  /** Status that the added system has when the hub starts; `pending` when absent, so that the hub polls it at once. */
  readonly status?: 'pending' | 'paused'
  /** Past samples of the test's system, each with its time in epoch ms. `drives` are the drives (SMART values) as read at that time. */
  readonly samples: readonly { readonly atMs: number; readonly sample: Sample; readonly drives?: readonly DiskHealth[] }[]
  /** Past changes of the system's status, oldest first, each with its time in epoch ms. `why` is the reason of `down`, as text. */
  readonly statuses?: readonly { readonly atMs: number; readonly status: 'up' | 'down'; readonly why?: string }[]
}

/** Adds a system with past samples and status changes to a hub's database, and resolves with the system's id. */
export async function addPastSystem(
  { database, store, history }: Stores,
  { name, host = '127.0.0.1', port, status = 'pending', samples, statuses = [] }: PastSystem,
): Promise<string> {
  const { id } = await database.write((unit) =>
    store.insert(unit, 'systems', { name, host, port: String(port), status, users: [], info: {} }),
  )
  for (let first = 0; first < samples.length; first += BATCH) {
    const batch = samples.slice(first, first + BATCH).map(({ atMs, sample, drives = [] }) => ({
      system: id,
      atMs,
      kinds: {
        system: pointsOf({ ...valuesOf(systemPoints(sample)), ...valuesOf(drivePoints(drives)) }),
        ...(sample.containers === undefined ? {} : { containers: containerPoints(sample.containers) }),
      },
    }))
    await database.write((unit) => history.append(unit, batch))
  }
  let previous = {}
  for (const { atMs, status, why } of statuses) {
    const next = { status, info: why === undefined ? {} : { why } }
    await database.write((unit) => noteChanges(unit, [{ system: id, previous, next }], atMs))
    previous = next
  }
  return id
}

/** Returns the list of times from `fromMs` (inclusive) to `toMs` (exclusive) at intervals of `everyMs` ms, in epoch ms. */
export const moments = (fromMs: number, toMs: number, everyMs: number): readonly number[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / everyMs) }, (_, index) => fromMs + index * everyMs)
