import { readFileSync } from 'node:fs'
import { isCborMap, type CborValue } from '../src/cbor/value.ts'

/** Reads the recording `vectors/<path>` as JSON. The caller declares its shape; recordings are checked in and never change. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the recording's shape
export function readRecording<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8')) as T
}

/** Parses hexadecimal digits into bytes. It uses only the bare language, because the agent's tests also run on the native host. */
export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Converts a CBOR value to the form of recordings: integer keys as texts, byte strings as `{"$bytes": hex}`, wide integers as `{"$uint":
 * digits}`.
 */
export function asRecorded(value: CborValue): unknown {
  if (value instanceof Uint8Array) return { $bytes: toHex(value) }
  if (typeof value === 'bigint') return { $uint: String(value) }
  if (isCborMap(value)) return Object.fromEntries([...value].map(([key, item]) => [String(key), asRecorded(item)]))
  if (Array.isArray(value)) return (value as readonly CborValue[]).map(asRecorded)
  return value
}
