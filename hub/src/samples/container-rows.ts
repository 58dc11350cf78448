import { createHash } from 'node:crypto'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { containerHealths } from '@vedette/protocol/wire/keys'
import { round2, toMebibytes } from '@vedette/protocol/wire/units'
import { containers } from '../records/collections/containers.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import { storeCurrentRows, type CurrentRow, type RowKind, type Writing } from './current-rows.ts'

/** Age at which unconfirmed rows are removed. Their container engine does not respond any more. */
const REMOVED_AFTER_MS = 600_000

const ID_LENGTH = 12

const kind: RowKind = { collection: containers, keyColumn: 'containerId', newId: containerRowId }

/** The running containers of a system. `undefined` if the sample has none because the engine did not respond. */
export type RunningContainers = { readonly system: string; readonly containers: readonly ContainerSample[] | undefined }

/** Stores the running containers and removes all other rows. Agents before 0.14 send no container ids, so their containers get no rows. */
export async function storeContainers(writing: Writing, samples: readonly RunningContainers[], nowMs: number): Promise<void> {
  const reports = samples.flatMap(({ system, containers: running }) =>
    running === undefined ? [] : [{ system, isComplete: true, rows: running.flatMap((one) => rowOf(one, nowMs)) }],
  )
  await storeCurrentRows(writing, kind, reports)
  for (const { system, containers: running } of samples) if (running === undefined) await removeOldRows(writing, system, nowMs)
}

async function removeOldRows({ records, unit }: Writing, system: string, nowMs: number): Promise<void> {
  for (const row of await records.loadWhere(containers.name, { system }, unit)) {
    const updated = Number(row['updated'])
    // After a clock was set back, the age of a row in the future is unknown.
    if (updated < nowMs - REMOVED_AFTER_MS || updated > nowMs) await records.remove(unit, containers.name, row.id)
  }
}

/**
 * Row id of a container: its own id, as clients expect. Systems that share an engine or an image report the same id; the second one
 * gets a row id made of system and container.
 */
export function containerRowId(system: string, containerId: string, attempt: number): string {
  if (attempt === 0 && /^[a-f0-9]{6,64}$/.test(containerId)) return containerId
  return createHash('sha256').update(`${system} ${containerId} ${attempt}`).digest('hex').slice(0, ID_LENGTH)
}

function rowOf(container: ContainerSample, nowMs: number): readonly CurrentRow[] {
  if (container.id === undefined) return []
  return [{ key: container.id, values: { ...fromContainer(container), containerId: container.id, updated: nowMs } }]
}

function fromContainer(container: ContainerSample): RecordValues {
  const { name, cpuPercent, memoryBytes, sentBytesPerSecond, receivedBytesPerSecond } = container
  return {
    name,
    status: container.status ?? '',
    health: containerHealths.indexOf(container.health ?? 'none'),
    cpu: round2(cpuPercent ?? 0),
    memory: toMebibytes(memoryBytes ?? 0),
    net: Math.round((sentBytesPerSecond ?? 0) + (receivedBytesPerSecond ?? 0)),
    image: container.image ?? '',
    ports: container.ports ?? '',
  }
}
