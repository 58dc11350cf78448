import type { ServiceSample } from '@vedette/protocol/metrics/sample'
import { serviceStates, serviceSubStates } from '@vedette/protocol/wire/keys'
import { round2 } from '@vedette/protocol/wire/units'
import type { UnitOfWork } from '../db/database.ts'
import type { RecordStore, RecordValues } from '../records/record-store.ts'
import { textOf } from '../records/stored-record.ts'
import { bringUpToDate } from './current-rows.ts'
import { rowId } from './row-id.ts'

export type ServiceRows = { readonly records: RecordStore; readonly unit: UnitOfWork; readonly system: string; readonly nowMs: number }

/** The services as last listed. Agents list them all, every ten minutes; samples between say nothing of them. */
export async function storeServices({ records, unit, system, nowMs }: ServiceRows, services: readonly ServiceSample[]): Promise<void> {
  const rows = services.map((service) => ({ key: service.name, values: { ...fromService(service), updated: nowMs } }))
  await bringUpToDate(
    {
      records,
      unit,
      collection: 'systemd_services',
      system,
      keyOf: (row) => textOf(row, 'name'),
      newId: (key, attempt) => rowId(system, key, attempt),
    },
    rows,
    true,
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
