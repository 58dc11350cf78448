import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson, inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { collections } from '../collections/collections.ts'
import type { Actor } from '../model/actor.ts'
import type { Collection } from '../model/collection.ts'
import { FIELD_TEXT, type WritesItself } from '../model/field-text.ts'
import { fieldPicker } from './pick-fields.ts'
import { presentRecord } from './present.ts'
import { recordWriter } from './record-json.ts'
import type { StoredRecord } from '../model/stored-record.ts'

const admin: Actor = { id: 'a', role: 'admin', verified: true }
const person: Actor = { id: 'p', role: 'user', verified: true }

const value = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  anyJson.map((json) => json as StoredRecord[string]), // JSON is read-only there
)

const recordOf = ({ fields }: Collection): fc.Arbitrary<StoredRecord> =>
  fc
    .tuple(fc.constantFrom('p', 'q'), fc.record(Object.fromEntries(fields.map(({ name }) => [name, value])), { requiredKeys: [] }))
    .map(([id, values]) => ({ ...values, id }))

test('recordWriter writes what is shown and picked of a record, byte for byte', () => {
  for (const collection of collections.all) {
    const names = ['*', 'id', 'collectionId', 'collectionName', 'nothing', ...inheritedNames, ...collection.fields.map(({ name }) => name)]
    const asked = fc
      .tuple(
        fc.subarray([...names, 'name:excerpt(3)', 'stats.cpu', 'stats.__proto__', 'info.constructor']),
        fc.constantFrom(',', ' , ', ',,'),
      )
      .map(([some, comma]) => some.join(comma))
    fc.assert(
      fc.property(recordOf(collection), asked, fc.constantFrom(admin, person, undefined), (record, fields, actor) => {
        const shown = fieldPicker(fields)(presentRecord(collection, record, actor))
        assert.equal(recordWriter(collection, actor, fields)(record), JSON.stringify(shown))
      }),
      { numRuns: 40 },
    )
  }
})

test('recordWriter takes the text of a field from a record that knows it', () => {
  const collection = collections.find('system_stats')
  assert.ok(collection)
  const record: WritesItself = {
    id: 'x',
    system: 's',
    type: '1m',
    stats: null,
    created: '',
    updated: '',
    [FIELD_TEXT]: (field: string) => (field === 'stats' ? '{"cpu":1}' : undefined),
  }
  assert.equal(recordWriter(collection, admin, 'type,stats,created')(record), '{"stats":{"cpu":1},"type":"1m","created":""}')
})
