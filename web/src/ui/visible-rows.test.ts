import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unequalRows } from './unequal-rows.ts'
import { equalRows, rowsToRender, visibleRows, type RowPositions } from './visible-rows.ts'

const rows: fc.Arbitrary<RowPositions> = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.constantFrom(40, 88)).map(([count, rowPixels]) => equalRows(count, rowPixels)),
  fc.array(fc.constantFrom(32, 40, 88), { maxLength: 500 }).map(unequalRows),
)
const scrolledLists = fc.record({
  rows,
  topPixels: fc.integer({ min: -100_000, max: 2000 }),
  windowPixels: fc.integer({ min: 200, max: 3000 }),
})

test('visibleRows includes every row in the viewport', () => {
  fc.assert(
    fc.property(scrolledLists, (list) => {
      const { first, end } = visibleRows(list)
      const { topOf, count } = list.rows
      const isSeen = (row: number) => list.topPixels + topOf(row + 1) > 0 && list.topPixels + topOf(row) < list.windowPixels
      for (let row = 0; row < count; row++) assert.ok(!isSeen(row) || (row >= first && row < end))
    }),
  )
})

test('visibleRows returns far fewer than a thousand rows of a thousand', () => {
  for (const positions of [equalRows(1000, 40), unequalRows(Array.from({ length: 1000 }, () => 40))]) {
    const { first, end } = visibleRows({ rows: positions, topPixels: -8000, windowPixels: 900 })
    assert.ok(first >= 170 && end <= 252, `${first}–${end}`)
  }
})

test('unequalRows with equal heights has the positions of equalRows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (height, count, part) => {
        const [one, other] = [unequalRows(Array.from({ length: count }, () => height)), equalRows(count, height)]
        const pixels = part * count * height
        assert.equal(one.topOf(count), other.topOf(count))
        assert.equal(one.indexAt(pixels), Math.min(other.indexAt(pixels), count))
      },
    ),
  )
})

test('rowsToRender keeps the rows of the page, adds few at once and at last all', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 80 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 200 })),
      fc.nat({ max: 100 }),
      (keys, before, first) => {
        let present: ReadonlySet<number> = new Set(before)
        for (let frame = 0; frame * 4 <= keys.length; frame++) {
          const shown = rowsToRender(keys, present, first)
          assert.ok(keys.every((key) => !present.has(key) || shown.has(key)))
          assert.ok([...shown].filter((key) => !present.has(key)).length <= 4)
          present = shown
        }
        assert.deepEqual([...present].toSorted(), keys.toSorted())
      },
    ),
  )
})

test('rowsToRender adds the rows in the margin above the window last', () => {
  const keys = Array.from({ length: 20 }, (_, index) => index)
  assert.deepEqual([...rowsToRender(keys, new Set(), 40)], [8, 9, 10, 11])
  assert.deepEqual([...rowsToRender(keys, new Set(), 0)], [0, 1, 2, 3])
})
