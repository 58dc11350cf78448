import type { ServiceSample } from '@vedette/protocol/metrics/sample'
import { serviceStates, serviceSubStates } from '@vedette/protocol/wire/keys'
import { round2 } from '@vedette/protocol/wire/units'
import { systemdServices } from '../records/collections/systemd-services.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import { textOf } from '../records/model/stored-record.ts'
import { bringUpToDate, type RowKind, type Writing } from './current-rows.ts'
import { rowId } from './row-id.ts'

const kind: RowKind = { collection: systemdServices, keyOf: (row) => textOf(row, 'name'), newId: rowId }

export type ListedServices = { readonly system: string; readonly services: readonly ServiceSample[] }

/** The services as last listed. Agents list them all, every ten minutes; samples between say nothing of them. */
export async function storeServices(writing: Writing, said: readonly ListedServices[], nowMs: number): Promise<void> {
  const rowOf = (service: ServiceSample) => ({ key: service.name, values: { ...fromService(service), updated: nowMs } })
  await bringUpToDate(
    writing,
    kind,
    said.map(({ system, services }) => ({ system, rows: services.map(rowOf), isComplete: true })),
  )
}

const fromService = (service: ServiceSample): RecordValues => ({
  name: service.name,
  state: serviceStates.indexOf(service.state),
  sub: serviceSubStates.indexOf(service.subState),
  cpu: round2(service.cpuPercent ?? 0),
  cpuPeak: round2(service.cpuPeakPercent ?? 0),
  memory: Math.round(service.memoryBytes ?? 0),
  memPeak: Math.round(service.memoryPeakBytes ?? 0),
})
