import { isCborMap, type CborMap, type CborValue } from '@vedette/protocol/cbor/value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'

/**
 * Converts the properties of a systemd service, such as `MainPID`, from a CBOR map to a JSON object by property name. Byte strings become
 * base64; `NaN` and infinity become null.
 */
export function propertiesJson(properties: CborMap): JsonObject {
  return Object.fromEntries([...properties].map(([name, value]) => [String(name), valueJson(value)]))
}

function valueJson(value: CborValue): Json {
  if (isCborMap(value)) return propertiesJson(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return (value as readonly CborValue[]).map(valueJson)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
