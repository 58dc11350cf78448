/** Type of a value that an array parameter can contain for one database column: text, number, null or bytes. */
export type ColumnValue = string | number | null | Uint8Array

/**
 * One query parameter with all values of a column, in PostgreSQL's binary array format. `type` is the SQL type of the array, such as
 * `text[]`.
 */
export type ArrayParameter = { readonly type: string; readonly bytes: Buffer }

type Element = { readonly type: string; readonly oid: number }

/**
 * PostgreSQL array type for text columns: its SQL name, and the object id of its elements' type (pg_type.dat). `DOUBLE` and `BYTES` are
 * those for numbers and bytes.
 */
const TEXT: Element = { type: 'text[]', oid: 25 }
const DOUBLE: Element = { type: 'float8[]', oid: 701 }
const BYTES: Element = { type: 'bytea[]', oid: 17 }

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const DOUBLE_BYTES = 8

/**
 * Encodes the values of a column as one binary array (`array_recv` in PostgreSQL's arrayfuncs.c); returns the array's bytes and SQL type.
 * One statement then serves any number of rows. Values have one type, except for nulls.
 */
export function arrayParameter(values: readonly ColumnValue[]): ArrayParameter {
  const { type, oid } = elementOf(values)
  const bytes = Buffer.allocUnsafe(values.reduce((sum: number, value) => sum + LENGTH_BYTES + lengthOf(value), HEADER_BYTES))
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const value of values) {
    const length = value === null ? 0 : put(bytes, value, at + LENGTH_BYTES)
    bytes.writeInt32BE(value === null ? -1 : length, at)
    at += LENGTH_BYTES + length
  }
  return { type, bytes }
}

function elementOf(values: readonly ColumnValue[]): Element {
  const first = values.find((value) => value !== null)
  if (typeof first === 'string') return TEXT
  // PostgreSQL converts double precision to the column's type, so it also fits a column of nulls.
  return first instanceof Uint8Array ? BYTES : DOUBLE
}

function lengthOf(value: ColumnValue): number {
  if (value === null) return 0
  if (typeof value === 'number') return DOUBLE_BYTES
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}

/**
 * Writes one array element into the buffer `bytes` from the offset `at` on: a text (UTF-8), a number (8-byte float) or bytes. Returns the
 * number of bytes written.
 */
function put(bytes: Buffer, value: string | number | Uint8Array, at: number): number {
  if (typeof value === 'string') return bytes.write(value, at)
  if (typeof value === 'number') {
    // Adding 0 turns −0 into 0, as in the text format of numbers.
    bytes.writeDoubleBE(value + 0, at)
    return DOUBLE_BYTES
  }
  bytes.set(value, at)
  return value.length
}
