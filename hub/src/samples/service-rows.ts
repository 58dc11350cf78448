import type { ServiceSample } from '@vedette/protocol/metrics/sample'
import { serviceStates, serviceSubStates } from '@vedette/protocol/wire/keys'
import { round2 } from '@vedette/protocol/wire/units'
import { systemdServices } from '../records/collections/systemd-services.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import { storeCurrentRows, type RowKind, type Writing } from './current-rows.ts'
import { rowId } from './row-id.ts'

const kind: RowKind = { collection: systemdServices, keyColumn: 'name', newId: rowId }

export type ListedServices = { readonly system: string; readonly services: readonly ServiceSample[] | undefined }

/** Stores the services of samples that list them. Agents list all of them every ten minutes, and none in between. */
export async function storeServices(writing: Writing, samples: readonly ListedServices[], nowMs: number): Promise<void> {
  const rowOf = (service: ServiceSample) => ({ key: service.name, values: { ...fromService(service), updated: nowMs } })
  const reports = samples.flatMap(({ system, services }) =>
    services === undefined ? [] : [{ system, rows: services.map(rowOf), isComplete: true }],
  )
  await storeCurrentRows(writing, kind, reports)
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
