import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { csvField } from './csv.ts'

/** Parses a field as RFC 4180 defines it. */
const read = (field: string): string => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)

test('csvField writes any text as a valid field that a spreadsheet does not read as a formula', () => {
  const text = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ',', '"', "'", 'a', '1', ' ') })
  fc.assert(
    fc.property(text, (given) => {
      const field = csvField(given)
      assert.match(field, /^(?:[^",\r\n]*|"(?:[^"]|"")*")$/)
      assert.doesNotMatch(read(field), /^[=+\-@\t\r]/)
      assert.ok(read(field) === given || read(field) === `'${given}`)
    }),
  )
})

test('csvField writes a negative number as a number', () => {
  assert.deepEqual([csvField(-1.5), csvField('-1.5'), csvField(true), csvField(null)], ['-1.5', "'-1.5", 'true', 'null'])
})
