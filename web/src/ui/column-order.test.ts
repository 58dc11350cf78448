import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrangeColumns, columnsText, moveColumn, toggleColumn } from './column-order.ts'

const ids = ['cpu', 'memory', 'disk', 'load'] as const
const shown = (text: string | undefined) => columnsText(arrangeColumns(ids, text))

test('arrangeColumns without stored columns keeps the order of the table', () => assert.equal(shown(undefined), 'cpu,memory,disk,load'))

test('arrangeColumns keeps a new column in its place and omits removed columns', () => {
  assert.equal(shown('load,-disk,cpu'), 'load,-disk,cpu,memory')
  assert.equal(shown('load,swap,-gpu,cpu,memory,disk,cpu'), 'load,cpu,memory,disk')
  assert.equal(shown('memory,disk,load'), 'cpu,memory,disk,load')
})

test('arrangeColumns of any text has every column once, and reads the text that columnsText wrote', () => {
  const part = fc.oneof(fc.constantFrom(...ids, ...ids.map((id) => `-${id}`)), fc.string())
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const columns = arrangeColumns(ids, parts.join(','))
      assert.deepEqual(columns.map(({ id }) => id).toSorted(), ids.toSorted())
      assert.deepEqual(arrangeColumns(ids, columnsText(columns)), columns)
    }),
  )
})

test('moveColumn stops at the ends, and toggleColumn hides and shows', () => {
  const columns = arrangeColumns(ids, undefined)
  assert.equal(columnsText(moveColumn(columns, 'disk', -1)), 'cpu,disk,memory,load')
  assert.equal(columnsText(moveColumn(columns, 'load', 1)), 'cpu,memory,disk,load')
  assert.equal(columnsText(moveColumn(columns, 'cpu', -1)), 'cpu,memory,disk,load')
  assert.equal(columnsText(toggleColumn(columns, 'disk')), 'cpu,memory,-disk,load')
  assert.equal(columnsText(toggleColumn(toggleColumn(columns, 'disk'), 'disk')), 'cpu,memory,disk,load')
})
