import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'
import type { DiskAttribute, DiskHealth, DiskHealthStatus } from '../metrics/disk-health.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'
import { smartAttributeKey as attributeKey, smartDeviceKey as deviceKey } from './keys.ts'
import { present } from './present.ts'

const statuses: readonly DiskHealthStatus[] = ['PASSED', 'WARNING', 'FAILED', 'UNKNOWN']

/**
 * Encodes drives for the reply to a SMART request, as a CBOR map by drive id. Integers are limited to the range that hubs accept, such as 0
 * to 65,535 for attribute values.
 */
export function encodeSmartDevices(devices: readonly DiskHealth[]): CborMap {
  return new Map(devices.map((device) => [device.id, deviceMap(device)]))
}

const deviceMap = (device: DiskHealth): CborMap =>
  filled([
    [deviceKey.model, device.model],
    [deviceKey.serial, device.serial],
    [deviceKey.firmware, device.firmware],
    [deviceKey.capacity, whole(device.capacityBytes)],
    [deviceKey.status, device.status],
    [deviceKey.device, device.device],
    [deviceKey.type, device.type],
    [deviceKey.celsius, whole(device.celsius, 0xff)],
    [deviceKey.attributes, device.attributes?.map(attributeMap)],
    [deviceKey.ageMs, whole(device.ageMs)],
  ])

const attributeMap = (attribute: DiskAttribute): CborMap =>
  filled([
    [attributeKey.id, whole(attribute.id, 0xffff)],
    [attributeKey.name, attribute.name],
    [attributeKey.value, whole(attribute.value, 0xffff)],
    [attributeKey.worst, whole(attribute.worst, 0xffff)],
    [attributeKey.threshold, whole(attribute.threshold, 0xffff)],
    [attributeKey.raw, whole(attribute.raw) ?? 0],
    [attributeKey.rawText, attribute.rawText],
    [attributeKey.failed, attribute.failed],
  ])

/** Decodes the drives in an agent's reply to a SMART request. Unusable entries are left out, and the reasons are in `problems`. */
export function decodeSmartDevices(devices: CborMap): {
  readonly devices: readonly DiskHealth[]
  readonly problems: readonly FieldProblem[]
} {
  const problems: FieldProblem[] = []
  const read = [...devices].flatMap(([id, value]): DiskHealth[] => {
    if (typeof id === 'string' && isCborMap(value)) return [readDevice(id, new FieldReader(value, `smart.${id}`, problems))]
    problems.push({ path: `smart.${String(id)}`, expected: 'a map under a text' })
    return []
  })
  return { devices: read, problems }
}

function readDevice(id: string, device: FieldReader): DiskHealth {
  const status = device.text(deviceKey.status)
  return present<DiskHealth>({
    id,
    model: device.text(deviceKey.model),
    serial: device.text(deviceKey.serial),
    firmware: device.text(deviceKey.firmware),
    capacityBytes: device.amount(deviceKey.capacity),
    status: statuses.find((word) => word === status) ?? 'UNKNOWN',
    device: device.text(deviceKey.device),
    type: device.text(deviceKey.type),
    celsius: device.amount(deviceKey.celsius),
    attributes: device.maps(deviceKey.attributes, readAttribute),
    ageMs: device.amount(deviceKey.ageMs),
  })
}

function readAttribute(attribute: FieldReader): DiskAttribute | undefined {
  const name = attribute.text(attributeKey.name)
  if (name === undefined) return undefined
  return present<DiskAttribute>({
    id: attribute.amount(attributeKey.id),
    name,
    value: attribute.amount(attributeKey.value),
    worst: attribute.amount(attributeKey.worst),
    threshold: attribute.amount(attributeKey.threshold),
    raw: attribute.amount(attributeKey.raw) ?? 0,
    rawText: attribute.text(attributeKey.rawText),
    failed: attribute.text(attributeKey.failed),
  })
}

const whole = (value: number | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : Math.min(max, Math.max(0, Math.round(value)))

function filled(entries: readonly (readonly [key: number, value: CborValue | undefined])[]): CborMap {
  return new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])))
}
