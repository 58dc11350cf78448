import { createHash } from 'node:crypto'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { containerHealths } from '@vedette/protocol/wire/keys'
import { round2, toMebibytes } from '@vedette/protocol/wire/units'
import { engineIdOf } from '../collections/containers.ts'
import type { UnitOfWork } from '../db/database.ts'
import type { RecordStore, RecordValues } from '../records/record-store.ts'
import { bringUpToDate } from './current-rows.ts'

/** Rows that no sample confirmed for this long are of an engine that does not answer any more. */
const FORGOTTEN_AFTER_MS = 600_000

const ID_LENGTH = 12

export type ContainerRows = { readonly records: RecordStore; readonly unit: UnitOfWork; readonly system: string; readonly nowMs: number }

/** The containers that run now; a row of one that is gone would look alive. Agents before 0.14 send no ids: they get no rows. */
export async function storeContainers(
  { records, unit, system, nowMs }: ContainerRows,
  containers: readonly ContainerSample[] | undefined,
): Promise<void> {
  if (containers === undefined) {
    for (const row of await records.loadWhere('containers', { system }, unit)) {
      if (Number(row['updated']) < nowMs - FORGOTTEN_AFTER_MS) await records.remove(unit, 'containers', row.id)
    }
    return
  }
  const rows = containers.flatMap((container) =>
    container.id === undefined
      ? []
      : [{ key: container.id, values: { ...fromContainer(container), containerId: container.id, updated: nowMs } }],
  )
  const newId = (key: string, attempt: number) => containerRowId(system, key, attempt)
  await bringUpToDate({ records, unit, collection: 'containers', system, keyOf: engineIdOf, newId }, rows, true)
}

/**
 * The container's own id, as clients expect it. Systems that share an engine or an image report the same one: the second
 * gets a row of its own under an id made of both.
 */
export function containerRowId(system: string, containerId: string, attempt: number): string {
  if (attempt === 0 && /^[a-f0-9]{6,64}$/.test(containerId)) return containerId
  return createHash('sha256').update(`${system} ${containerId} ${attempt}`).digest('hex').slice(0, ID_LENGTH)
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
