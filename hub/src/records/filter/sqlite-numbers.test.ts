import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from './comparison.ts'
import { sqliteRealText } from './sqlite-real-text.ts'

const database = new DatabaseSync(':memory:')
database.exec('create table texts (name text)')
const asText = database.prepare('select cast(? as text) as text')

test('sqliteRealText formats a number like SQLite', () => {
  const magnitudes = fc.tuple(fc.double({ noNaN: true, min: 1, max: 10 }), fc.integer({ min: -10, max: 18 }))
  const numbers = fc.oneof(
    magnitudes.map(([mantissa, power]) => mantissa * 10 ** power),
    // Typical decimal numbers. Numbers in filters have no exponent, so few are smaller.
    fc
      .tuple(magnitudes, fc.integer({ min: 1, max: 17 }))
      .map(([[mantissa, power], digits]) => -Number((mantissa * 10 ** power).toPrecision(digits))),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom(0, -0, 0.1, 0.0001, 0.00001, 1e14, 1e15, 1e17, 123456789012345680, 42, -42.5, 0.1 + 0.2, 1 - 2 ** -53, 1e17 - 16),
    fc.constantFrom(-9.54263810164e-7, 1e300, -1e-300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  )
  fc.assert(fc.property(numbers, (number) => assert.equal(sqliteRealText(number), asText.get(number)?.['text'])))
})

test('holds orders a text column and a number like SQLite, which converts the number to text', () => {
  const orders = ['<', '<=', '>', '>='] as const
  const names = fc.oneof(fc.constantFrom('42', '42.0', ' padded ', '', 'web', '420', '4', '-1', '43'), fc.string({ unit: 'binary-ascii' }))
  const insert = database.prepare('insert into texts values (?)')
  fc.assert(
    fc.property(
      names.filter((name) => !name.includes('\0')),
      fc.oneof(fc.constantFrom(42, 0, -1, 4.5), fc.integer({ min: -1000, max: 1000 })),
      fc.constantFrom(...orders),
      (name, number, order) => {
        database.exec('delete from texts')
        insert.run(name)
        const found = database.prepare(`select count(*) as count from texts where name ${order} ?`).get(number)?.['count'] === 1
        assert.equal(holds({ type: 'text', value: name }, order, { type: 'constant', value: number }), found)
      },
    ),
  )
})
