import { createHash } from 'node:crypto'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { containerHealths } from '@vedette/protocol/wire/keys'
import { round2, toMebibytes } from '@vedette/protocol/wire/units'
import { containers, engineIdOf } from '../records/collections/containers.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import { bringUpToDate, loadCurrent, type CurrentRow, type RowKind, type Writing } from './current-rows.ts'

/** Rows that no sample confirmed for this long are of an engine that does not answer any more. */
const FORGOTTEN_AFTER_MS = 600_000

const ID_LENGTH = 12

const kind: RowKind = { collection: containers, keyOf: engineIdOf, keyColumn: 'containerId', newId: containerRowId }

/** What systems run now; `undefined`: it did not say. */
export type RunningContainers = { readonly system: string; readonly containers: readonly ContainerSample[] | undefined }

/** The containers that run now; a row of one that is gone would look alive. Agents before 0.14 send no ids: they get no rows. */
export async function storeContainers(writing: Writing, said: readonly RunningContainers[], nowMs: number): Promise<void> {
  const known = said.flatMap(({ system, containers: running }) =>
    running === undefined ? [] : [{ system, isComplete: true, rows: running.flatMap((one) => rowOf(one, nowMs)) }],
  )
  await bringUpToDate(writing, kind, known)
  const silent = said.filter((one) => one.containers === undefined).map(({ system }) => system)
  for (const row of [...(await loadCurrent(writing, kind, silent)).values()].flat()) {
    const updated = Number(row['updated'])
    // A time in the future: the clock was set back since, and nobody knows how old the row is.
    if (updated < nowMs - FORGOTTEN_AFTER_MS || updated > nowMs) await writing.records.remove(writing.unit, containers.name, row.id)
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
