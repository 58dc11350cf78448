import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { visibleRows } from './visible-rows.ts'

const scrolledLists = fc.record({
  count: fc.integer({ min: 0, max: 2000 }),
  rowPixels: fc.constantFrom(40, 88),
  topPixels: fc.integer({ min: -100_000, max: 2000 }),
  windowPixels: fc.integer({ min: 200, max: 3000 }),
})

test('visibleRows includes every row in the viewport', () => {
  fc.assert(
    fc.property(scrolledLists, (list) => {
      const { first, end } = visibleRows(list)
      const isSeen = (row: number) =>
        list.topPixels + (row + 1) * list.rowPixels > 0 && list.topPixels + row * list.rowPixels < list.windowPixels
      for (let row = 0; row < list.count; row++) assert.ok(!isSeen(row) || (row >= first && row < end))
    }),
  )
})

test('visibleRows returns far fewer than a thousand rows of a thousand', () => {
  const { first, end } = visibleRows({ count: 1000, rowPixels: 40, topPixels: -8000, windowPixels: 900 })
  assert.ok(first >= 170 && end <= 252, `${first}–${end}`)
})
