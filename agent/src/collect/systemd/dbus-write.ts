import type { Bytes, ByteTools } from '../../runtime/runtime.ts'
import { alignmentOf, parseSignature, type BasicCode, type DbusType } from './dbus-signature.ts'

/**
 * Value that can be encoded for D-Bus. A dictionary is a list of pairs, a structure a list of its fields. A variant is an object with its
 * signature and value.
 */
export type DbusWritable =
  | string
  | number
  | bigint
  | boolean
  | readonly DbusWritable[]
  | { readonly signature: string; readonly value: DbusWritable }

/**
 * Encodes the values of a D-Bus signature in wire format, little-endian, and returns the bytes. Throws `RangeError` for an invalid
 * signature, a wrong number of values, or a value that does not match its type.
 */
export function writeDbus(signature: string, values: readonly DbusWritable[], utf8: ByteTools['utf8']): Bytes {
  const types = parseSignature(signature)
  if (types?.length !== values.length) throw new RangeError(`Cannot write ${values.length} values as "${signature}"`)
  const output: Output = { bytes: [], utf8 }
  types.forEach((type, index) => write(output, type, values[index]))
  return Uint8Array.from(output.bytes)
}

type Output = { readonly bytes: number[]; readonly utf8: ByteTools['utf8'] }

function pad(output: Output, alignment: number): void {
  while (output.bytes.length % alignment !== 0) output.bytes.push(0)
}

const mismatch = (value: DbusWritable | undefined, type: string): RangeError =>
  new RangeError(`Cannot write a value of type ${typeof value} as D-Bus "${type}"`)

function write(output: Output, type: DbusType, value: DbusWritable | undefined): void {
  pad(output, alignmentOf(type))
  switch (type.kind) {
    case 'basic':
      return writeBasic(output, type.code, value)
    case 'variant':
      return writeVariant(output, value)
    case 'array':
      return writeArray(output, type.of, value)
    case 'struct':
      return writeFields(output, type.fields, value)
    case 'entry':
      return writeFields(output, [{ kind: 'basic', code: type.key }, type.value], value)
  }
}

function writeFields(output: Output, fields: readonly DbusType[], value: DbusWritable | undefined): void {
  if (!isList(value) || value.length !== fields.length) throw mismatch(value, 'structure')
  fields.forEach((field, index) => write(output, field, value[index]))
}

function writeVariant(output: Output, value: DbusWritable | undefined): void {
  if (typeof value !== 'object' || isList(value)) throw mismatch(value, 'v')
  const [type, ...more] = parseSignature(value.signature) ?? []
  if (type === undefined || more.length > 0) throw new RangeError(`Cannot write "${value.signature}" as a D-Bus variant`)
  writeBasic(output, 'g', value.signature)
  write(output, type, value.value)
}

function writeArray(output: Output, of: DbusType, value: DbusWritable | undefined): void {
  if (!isList(value)) throw mismatch(value, 'array')
  const lengthAt = output.bytes.length
  writeBasic(output, 'u', 0)
  pad(output, alignmentOf(of))
  const start = output.bytes.length
  for (const item of value) write(output, of, item)
  const length = output.bytes.length - start
  for (let byte = 0; byte < 4; byte++) output.bytes[lengthAt + byte] = (length >>> (byte * 8)) & 0xff
}

const wholeSizes: Readonly<Partial<Record<BasicCode, number>>> = { y: 1, n: 2, q: 2, i: 4, u: 4, h: 4, x: 8, t: 8 }

function writeBasic(output: Output, code: BasicCode, value: DbusWritable | undefined): void {
  const size = wholeSizes[code]
  if (typeof value === 'string' && (code === 's' || code === 'o' || code === 'g')) writeText(output, code, value)
  else if (code === 'b' && typeof value === 'boolean') writeWhole(output, 4, value ? 1n : 0n)
  else if (code === 'd' && typeof value === 'number') writeDouble(output, value)
  else if (size !== undefined && isWhole(value)) writeWhole(output, size, BigInt(value))
  else throw mismatch(value, code)
}

function writeDouble(output: Output, value: number): void {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  output.bytes.push(...bytes)
}

const isWhole = (value: DbusWritable | undefined): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value)

/**
 * Appends the lowest `size` bytes of an integer to the output, little-endian. In two's complement, the lowest bytes are equal for any
 * width.
 */
function writeWhole(output: Output, size: number, value: bigint): void {
  let rest = BigInt.asUintN(64, value)
  for (let byte = 0; byte < size; byte++) {
    output.bytes.push(Number(rest & 0xffn))
    rest >>= 8n
  }
}

function writeText(output: Output, code: 's' | 'o' | 'g', value: string): void {
  const bytes = output.utf8(value)
  writeWhole(output, code === 'g' ? 1 : 4, BigInt(bytes.length))
  for (const byte of bytes) output.bytes.push(byte)
  output.bytes.push(0)
}

const isList = (value: DbusWritable | undefined): value is readonly DbusWritable[] => Array.isArray(value)
