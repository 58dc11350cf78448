import { createHash } from 'node:crypto'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { containerHealths } from '@vedette/protocol/wire/keys'
import { round2, toMebibytes } from '@vedette/protocol/wire/units'
import { containers } from '../records/collections/containers.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import { storeCurrentRows, type CurrentRow, type RowKind, type Writing } from './current-rows.ts'

/** An engine whose rows no sample has confirmed for this long does not respond any more. */
const REMOVED_AFTER_MS = 600_000

const ID_LENGTH = 12

const kind: RowKind = { collection: containers, keyColumn: 'containerId', newId: containerRowId }

/** The running containers of a system; `undefined` if the sample has none because the engine did not respond. */
export type RunningContainers = { readonly system: string; readonly containers: readonly ContainerSample[] | undefined }

/** Stores the containers that run now and removes all others. Agents before 0.14 send no container ids: their containers get no rows. */
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
    // After a clock was set back, nobody knows how old a row of the future is.
    if (updated < nowMs - REMOVED_AFTER_MS || updated > nowMs) await records.remove(unit, containers.name, row.id)
  }
}

/**
 * The container's own id, as clients expect it. Systems that share an engine or an image report the same one: the second
 * gets a row of its own under an id made of both.
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
