import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName, inheritedNames } from '../test/hostile-names.ts'
import { nullRecord } from './null-record.ts'
import { ownValue, setOwnValue } from './own-value.ts'

test('ownValue never returns an inherited member', () => {
  for (const name of inheritedNames) assert.equal(ownValue({}, name), undefined, name)
  assert.equal(ownValue(undefined, 'a'), undefined)
})

test('ownValue and nullRecord return the values set under any name, in the order of a map', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyName, fc.nat())), (entries) => {
      const map = new Map(entries)
      const plain: { [name: string]: number } = {}
      const record = nullRecord<number>()
      for (const [name, value] of entries) {
        setOwnValue(plain, name, value)
        record[name] = value
      }
      for (const object of [plain, record, nullRecord(entries)]) {
        assert.deepEqual(new Map(Object.entries(object)), map)
        for (const [name] of entries) assert.equal(ownValue(object, name), map.get(name))
      }
      assert.equal(Object.getPrototypeOf(plain), Object.prototype)
      assert.equal(JSON.stringify(plain), JSON.stringify(Object.fromEntries(map)))
    }),
  )
})
