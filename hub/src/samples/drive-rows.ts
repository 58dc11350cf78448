import { notifyWorseDrives } from '../alerts/notifications/drive-health.ts'
import type { Clock } from '../platform/clock.ts'
import type { DiskAttribute, DiskHealth, DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { smartDevices } from '../records/collections/smart-devices.ts'
import type { Database } from '../platform/db/database.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import type { RecordTableStore } from '../records/engine/record-tables.ts'
import { storeCurrentRows, type RowKind } from './current-rows.ts'
import { rowId } from './row-id.ts'

type DriveRows = { readonly db: Database; readonly records: RecordTableStore; readonly clock: Clock; readonly system: string }

const kind: RowKind = { collection: smartDevices, keyColumn: 'device', newId: rowId }

/**
 * Stores the last known drives of a system, and notifies its users when a drive's health gets worse. A missing drive is removed only if
 * the agent could read all drives.
 */
export async function storeDrives({ db, records, clock, system: id }: DriveRows, { devices, complete }: DiskHealthReport): Promise<void> {
  await db.write(async (unit) => {
    const system = await records.load('systems', id, unit)
    if (system === undefined) return
    const before = await records.loadWhere('smart_devices', { system: id }, unit)
    const rows = devices.map((device) => ({ key: device.id, values: { ...fromDrive(device), device: device.id } }))
    await storeCurrentRows({ records, unit, dialect: db.dialect }, kind, [{ system: id, rows, isComplete: complete }])
    await notifyWorseDrives(unit, records, { system, before, nowMs: clock.now() })
  }, 'process')
}

export function fromDrive(device: DiskHealth): RecordValues {
  const attributes = device.attributes ?? []
  return {
    name: device.device ?? device.id,
    model: device.model ?? '',
    state: device.status,
    capacity: Math.round(device.capacityBytes ?? 0),
    temp: Math.round(device.celsius ?? 0),
    firmware: device.firmware ?? '',
    serial: device.serial ?? '',
    type: device.type ?? '',
    hours: rawOf(attributes, ['poweronhours', 'poweronhoursandmsec', 'poweronminutes']),
    cycles: rawOf(attributes, ['powercyclecount', 'powercycles', 'startstopcyclecount', 'startstopcount']),
    attributes: attributes.length === 0 ? null : attributes.map(attributeJson),
  }
}

/** Raw value of the first attribute with one of these names, ignoring case and punctuation. 0 without one. */
function rawOf(attributes: readonly DiskAttribute[], names: readonly string[]): number {
  for (const name of names) {
    const found = attributes.find((one) => one.name.toLowerCase().replaceAll(/[^a-z]/g, '') === name)
    if (found !== undefined) return Math.round(name === 'poweronminutes' ? found.raw / 60 : found.raw)
  }
  return 0
}

/** The attribute in the clients' format. Empty and zero members are left out, except for the name and the raw value. */
function attributeJson(attribute: DiskAttribute): Json {
  const fields: Readonly<Record<string, Json | undefined>> = {
    id: attribute.id || undefined,
    n: attribute.name,
    v: attribute.value || undefined,
    w: attribute.worst || undefined,
    t: attribute.threshold || undefined,
    rv: attribute.raw,
    rs: attribute.rawText || undefined,
    wf: attribute.failed || undefined,
  }
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}
