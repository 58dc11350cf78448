import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { collections } from '../collections/collections.ts'
import { secretBox } from '../secrets/secret-box.ts'
import type { Actor } from './actor.ts'
import type { Collection, Field } from './collection.ts'
import { fieldPicker } from './pick-fields.ts'
import { presentRecord } from './present.ts'
import { toRecord, type Row } from './record-row.ts'
import { rowText } from './row-text.ts'

const secrets = secretBox(randomBytes(32))
const admin: Actor = { id: 'a', role: 'admin', verified: true }

function columnOf(field: Field): fc.Arbitrary<string | number | null> {
  const nothing = fc.constantFrom('', null)
  switch (field.kind) {
    case 'flag':
      return fc.constantFrom(0, 1, null)
    case 'number':
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), nothing)
    case 'json':
      return fc.oneof(
        fc.json().map((text) => JSON.stringify(JSON.parse(text))),
        nothing,
      )
    case 'relation':
      return field.many === true
        ? fc.oneof(
            fc.array(fc.string()).map((ids) => JSON.stringify(ids)),
            nothing,
          )
        : fc.string()
    default:
      return fc.oneof(fc.string({ unit: 'binary' }), nothing)
  }
}

const rowOf = ({ fields }: Collection): fc.Arbitrary<Row> =>
  fc.record({ id: fc.string({ minLength: 1 }), ...Object.fromEntries(fields.map((field) => [field.name, columnOf(field)])) })

const tables = collections.all.filter(({ storage }) => storage === 'table')

for (const collection of tables) {
  test(`rowText writes ${collection.name} as its records are shown, or leaves it to them`, () => {
    const names = ['*', 'id', 'collectionName', 'nothing', ...collection.fields.map(({ name }) => name)]
    fc.assert(
      fc.property(rowOf(collection), fc.subarray(names), (row, fields) => {
        const asked = fields.join(',')
        const write = rowText(collection, admin, asked)
        if (write === undefined) return
        assert.equal(write(row), JSON.stringify(fieldPicker(asked)(presentRecord(collection, toRecord(collection, row, secrets), admin))))
      }),
    )
  })
}

test('rowText leaves to records what depends on more than the row', () => {
  const text = (name: string, actor: Actor, fields = ''): unknown => {
    const collection = collections.find(name)
    assert.ok(collection)
    return rowText(collection, actor, fields)
  }
  assert.equal(text('users', { id: 'u', role: 'user' }), undefined)
  assert.equal(text('fingerprints', admin), undefined)
  assert.equal(text('systems', admin, 'info.u'), undefined)
  assert.equal(text('systems', admin, 'name:excerpt(3)'), undefined)
  assert.notEqual(text('systems', admin, 'name, info'), undefined)
})
