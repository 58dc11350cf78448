import type { CborValue } from '@vedette/protocol/cbor/value'
import type { Bytes, ByteTools } from '../../runtime/runtime.ts'
import { DbusMalformed, DbusReader } from './dbus-read.ts'
import { writeDbus, type DbusWritable } from './dbus-write.ts'

/**
 * Decoded message of the D-Bus protocol (D-Bus Specification, "Message Format"): type, serial numbers, error name, and the list of values.
 */
export type DbusMessage = {
  readonly type: 'call' | 'return' | 'error' | 'signal' | 'unknown'
  readonly serial: number
  /** Serial number of the D-Bus call that this message responds to; absent for other messages. */
  readonly replySerial?: number
  readonly errorName?: string
  readonly path?: string
  readonly interface?: string
  readonly member?: string
  readonly values: readonly CborValue[]
}

export type DbusCall = {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly signature?: string
  readonly values?: readonly DbusWritable[]
}

const CALL = 1
const NO_AUTO_START = 2
const VERSION = 1
const types: readonly DbusMessage['type'][] = ['unknown', 'call', 'return', 'error', 'signal']

const headerField = { path: 1, interface: 2, member: 3, errorName: 4, replySerial: 5, destination: 6, signature: 8 } as const

const FIXED_HEADER_BYTES = 16
const ENDIANNESS = { little: 0x6c, big: 0x42 } as const

/** Maximum size of a D-Bus message in bytes, 8 MiB. A list of all units of a large machine is below 1 MB. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024

/**
 * Encodes a D-Bus method call with the given serial number and returns its bytes. It carries the flag NO_AUTO_START: the bus starts no
 * program to handle it.
 */
export function encodeCall(call: DbusCall, serial: number, utf8: ByteTools['utf8']): Bytes {
  const { signature = '', values = [] } = call
  const fields: (readonly [number, { readonly signature: string; readonly value: string }])[] = [
    [headerField.path, { signature: 'o', value: call.path }],
    [headerField.interface, { signature: 's', value: call.interface }],
    [headerField.member, { signature: 's', value: call.member }],
    [headerField.destination, { signature: 's', value: call.destination }],
  ]
  if (signature !== '') fields.push([headerField.signature, { signature: 'g', value: signature }])
  return encodeMessage({ type: CALL, flags: NO_AUTO_START, serial, fields }, writeDbus(signature, values, utf8), utf8)
}

export type DbusHeader = {
  readonly type: number
  readonly flags: number
  readonly serial: number
  readonly fields: readonly (readonly [number, { readonly signature: string; readonly value: DbusWritable }])[]
}

export function encodeMessage({ type, flags, serial, fields }: DbusHeader, body: Bytes, utf8: ByteTools['utf8']): Bytes {
  const header = writeDbus('yyyyuua(yv)', [ENDIANNESS.little, type, flags, VERSION, body.length, serial, fields], utf8)
  const message = new Uint8Array(padded(header.length) + body.length)
  message.set(header)
  message.set(body, padded(header.length))
  return message
}

const padded = (length: number): number => Math.ceil(length / 8) * 8

/**
 * Returns the total length in bytes of the D-Bus message that starts with these bytes; `undefined` with fewer than 16 bytes. Throws
 * `DbusMalformed` when they are no header, or the length is above 8 MiB.
 */
export function messageLength(start: Bytes): number | undefined {
  if (start.length < FIXED_HEADER_BYTES) return undefined
  if (start[0] !== ENDIANNESS.little && start[0] !== ENDIANNESS.big)
    throw new DbusMalformed('Cannot read a D-Bus message: it has no byte order')
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength)
  const little = start[0] === ENDIANNESS.little
  const length = FIXED_HEADER_BYTES + padded(view.getUint32(12, little)) + view.getUint32(4, little)
  if (length > MAX_MESSAGE_BYTES)
    throw new DbusMalformed(`Cannot read a D-Bus message: it has ${length} bytes, more than ${MAX_MESSAGE_BYTES}`)
  return length
}

/**
 * Decodes the bytes of one complete D-Bus message and returns it; `text` decodes UTF-8. Throws `DbusMalformed` when the bytes are no
 * message.
 */
export function decodeMessage(bytes: Bytes, text: ByteTools['fromUtf8']): DbusMessage {
  const littleEndian = bytes[0] === ENDIANNESS.little
  const header = new DbusReader({ bytes, littleEndian, text })
  const [, type, , , , serial, fields] = header.values('yyyyuua(yv)')
  header.align(8)
  const byNumber = new Map((Array.isArray(fields) ? fields : []).map((field: readonly CborValue[]) => [field[0], field[1]]))
  const textOf = (name: keyof typeof headerField): string | undefined => {
    const value = byNumber.get(headerField[name])
    return typeof value === 'string' ? value : undefined
  }
  const replySerial = byNumber.get(headerField.replySerial)
  const body = new DbusReader({ bytes: bytes.subarray(header.position), littleEndian, text })
  return {
    type: (typeof type === 'number' ? types[type] : undefined) ?? 'unknown',
    serial: typeof serial === 'number' ? serial : 0,
    values: body.values(textOf('signature') ?? ''),
    ...(typeof replySerial === 'number' ? { replySerial } : {}),
    ...optional('errorName', textOf('errorName')),
    ...optional('path', textOf('path')),
    ...optional('interface', textOf('interface')),
    ...optional('member', textOf('member')),
  }
}

const optional = <K extends string>(key: K, text: string | undefined): Partial<Record<K, string>> =>
  // A record with one key of type K is what a computed key makes; the compiler only sees a string.
  text === undefined ? {} : ({ [key]: text } as Partial<Record<K, string>>)
