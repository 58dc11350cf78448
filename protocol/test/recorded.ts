import { readFileSync } from 'node:fs'
import { isCborMap, type CborValue } from '../src/cbor/value.ts'

/** The recording `vectors/<path>`. Its shape is what the caller says: recordings are checked in and never change. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the recording's shape
export function readRecording<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8')) as T
}

/** In the bare language: the agent's tests run where there is nothing else. */
export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A CBOR value as recordings write it: integer keys as texts, byte strings as `{"$bytes": hex}`, wide integers as `{"$uint": digits}`. */
export function asRecorded(value: CborValue): unknown {
  if (value instanceof Uint8Array) return { $bytes: toHex(value) }
  if (typeof value === 'bigint') return { $uint: String(value) }
  if (isCborMap(value)) return Object.fromEntries([...value].map(([key, item]) => [String(key), asRecorded(item)]))
  if (Array.isArray(value)) return (value as readonly CborValue[]).map(asRecorded)
  return value
}
