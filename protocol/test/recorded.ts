import { readFileSync } from 'node:fs'
import { isCborMap, type CborValue } from '../src/cbor/value.ts'

/** The recording `vectors/<path>`. Its shape is what the caller says: recordings are checked in and never change. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the recording's shape
export function readRecording<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8')) as T
}

export const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A CBOR value as recordings write it: integer keys as texts, byte strings as `{"$bytes": hex}`, wide integers as `{"$uint": digits}`. */
export function asRecorded(value: CborValue): unknown {
  if (value instanceof Uint8Array) return { $bytes: toHex(value) }
  if (typeof value === 'bigint') return { $uint: String(value) }
  if (isCborMap(value)) return Object.fromEntries([...value].map(([key, item]) => [String(key), asRecorded(item)]))
  if (Array.isArray(value)) return (value as readonly CborValue[]).map(asRecorded)
  return value
}
