import type { CborValue } from '@vedette/protocol/cbor/value'
import type { Bytes, ByteTools } from '../../runtime/runtime.ts'
import { alignmentOf, parseSignature, type BasicCode, type DbusType } from './dbus-signature.ts'

/** Error when bytes are not a D-Bus message or do not match its signature. */
export class DbusMalformed extends Error {
  override readonly name = 'DbusMalformed'
}

export type DbusSource = { readonly bytes: Bytes; readonly littleEndian: boolean; readonly text: ByteTools['fromUtf8'] }

/**
 * Maximum nesting depth of a D-Bus value, 64, counted over arrays, structures and variants; a deeper value is refused, because it could
 * exhaust the stack.
 */
const MAX_DEPTH = 64

/**
 * Decoder of values in D-Bus wire format (D-Bus Specification, "Marshaling"). Integers of 2^53 and more in magnitude become `bigint`, and a
 * variant becomes its value. Arrays of bytes become byte strings, structures and other arrays lists, and dictionaries maps. Throws
 * `DbusMalformed`.
 */
export class DbusReader {
  readonly #source: DbusSource
  readonly #view: DataView
  #at = 0
  #depth = 0

  constructor(source: DbusSource) {
    this.#source = source
    const { buffer, byteOffset, byteLength } = source.bytes
    this.#view = new DataView(buffer, byteOffset, byteLength)
  }

  /**
   * Decodes one value for each type of a D-Bus signature and returns the list of values, in the order of the types. Throws `DbusMalformed`.
   */
  values(signature: string): readonly CborValue[] {
    const types = parseSignature(signature)
    if (types === undefined) throw new DbusMalformed(`Cannot read a D-Bus value: "${signature}" is not a signature`)
    return types.map((type) => this.value(type))
  }

  value(type: DbusType): CborValue {
    if (++this.#depth > MAX_DEPTH) throw new DbusMalformed('Cannot read a D-Bus value: it is nested too deeply')
    this.align(alignmentOf(type))
    const value = this.#aligned(type)
    this.#depth--
    return value
  }

  /** Moves the decoder's position in the D-Bus message forward to the next offset that is a multiple of `alignment` bytes. */
  align(alignment: number): void {
    this.#take((alignment - (this.#at % alignment)) % alignment)
  }

  get position(): number {
    return this.#at
  }

  #aligned(type: DbusType): CborValue {
    switch (type.kind) {
      case 'basic':
        return this.#basic(type.code)
      case 'variant':
        return this.#variant()
      case 'array':
        return this.#array(type.of)
      case 'struct':
        return type.fields.map((field) => this.value(field))
      case 'entry':
        return [this.#basic(type.key), this.value(type.value)]
    }
  }

  #basic(code: BasicCode): CborValue {
    if (code === 'g') return this.#text(this.#view.getUint8(this.#take(1)))
    if (code === 's' || code === 'o') return this.#text(this.#view.getUint32(this.#take(4), this.#source.littleEndian))
    const { size, read } = fixed[code]
    return read(this.#view, this.#take(size), this.#source.littleEndian)
  }

  #text(length: number): string {
    const start = this.#take(length)
    this.#take(1)
    return this.#source.text(this.#source.bytes.subarray(start, start + length))
  }

  #variant(): CborValue {
    const [type, ...more] = parseSignature(this.#text(this.#view.getUint8(this.#take(1)))) ?? []
    if (type === undefined || more.length > 0) throw new DbusMalformed('Cannot read a D-Bus variant: it has not one type')
    return this.value(type)
  }

  #array(of: DbusType): CborValue {
    const length = this.#view.getUint32(this.#take(4), this.#source.littleEndian)
    this.align(alignmentOf(of))
    const end = this.#at + length
    if (end > this.#source.bytes.length) throw new DbusMalformed('Cannot read a D-Bus array: it ends beyond the message')
    if (of.kind === 'basic' && of.code === 'y') return this.#source.bytes.slice(this.#take(length), end)
    const items: CborValue[] = []
    const map = new Map<number | string, CborValue>()
    while (this.#at < end) {
      const item = this.value(of)
      if (of.kind === 'entry' && Array.isArray(item)) map.set(keyOf(item[0]), item[1])
      else items.push(item)
    }
    if (this.#at !== end) throw new DbusMalformed('Cannot read a D-Bus array: its last value ends beyond it')
    return of.kind === 'entry' ? map : items
  }

  /** Consumes `count` bytes and returns the offset in the message at which they start. Throws `DbusMalformed` when fewer bytes are left. */
  #take(count: number): number {
    const start = this.#at
    if (start + count > this.#source.bytes.length) throw new DbusMalformed('Cannot read a D-Bus value: it ends beyond the message')
    this.#at += count
    return start
  }
}

type Fixed = { readonly size: 1 | 2 | 4 | 8; readonly read: (view: DataView, at: number, little: boolean) => CborValue }

const fixed: Readonly<Record<Exclude<BasicCode, 's' | 'o' | 'g'>, Fixed>> = {
  y: { size: 1, read: (view, at) => view.getUint8(at) },
  b: { size: 4, read: (view, at, little) => view.getUint32(at, little) !== 0 },
  n: { size: 2, read: (view, at, little) => view.getInt16(at, little) },
  q: { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  i: { size: 4, read: (view, at, little) => view.getInt32(at, little) },
  u: { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  h: { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  x: { size: 8, read: (view, at, little) => exact(view.getBigInt64(at, little)) },
  t: { size: 8, read: (view, at, little) => exact(view.getBigUint64(at, little)) },
  d: { size: 8, read: (view, at, little) => view.getFloat64(at, little) },
}

const exact = (value: bigint): number | bigint =>
  BigInt(Number.MIN_SAFE_INTEGER) <= value && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value

const keyOf = (key: unknown): number | string => (typeof key === 'number' && Number.isSafeInteger(key) ? key : String(key))
