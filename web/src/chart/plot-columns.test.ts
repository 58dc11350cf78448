import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extentOf, plotColumns } from './plot-columns.ts'

const line = (key: string, values: readonly (number | null)[], below = false) => ({ key, label: key, colour: '--series-1', values, below })
const times = [1, 2, 3]

test('plotColumns stacks each line on those before it', () => {
  assert.deepEqual(plotColumns({ times, isStacked: true, lines: [line('a', [1, 2, 3]), line('b', [10, 20, 30])] }), [
    [1, 2, 3],
    [11, 22, 33],
  ])
})

test('plotColumns keeps a gap where no line has a value, and fills one where another has', () => {
  assert.deepEqual(plotColumns({ times, isStacked: true, lines: [line('a', [null, null, 3]), line('b', [10, null, null])] }), [
    [0, null, 3],
    [10, null, 3],
  ])
})

test('plotColumns turns lines below zero', () => {
  assert.deepEqual(plotColumns({ times, isStacked: false, lines: [line('a', [1, null, 3], true)] }), [[-1, null, -3]])
})

test('plotColumns: a shorter line of a stack adds nothing where it ends, and a line of no value at all lies on the others', () => {
  assert.deepEqual(plotColumns({ times, isStacked: true, lines: [line('a', [1]), line('b', [null, 2, null])] }), [
    [1, 0, null],
    [1, 2, null],
  ])
  assert.deepEqual(plotColumns({ times, isStacked: false, lines: [line('a', [1, null, 3])] }), [[1, null, 3]])
})

test('extentOf is undefined without values', () => {
  assert.equal(extentOf([[null], []]), undefined)
  assert.deepEqual(extentOf([[5, 2, 4]]), { lowest: 2, highest: 5 })
  assert.deepEqual(extentOf([[7]]), { lowest: 7, highest: 7 })
  assert.deepEqual(extentOf([[3, null], [-1]]), { lowest: -1, highest: 3 })
})

test('plotColumns reads the values of many lines with gaps a few times, not once for each other line', () => {
  const [count, times] = [300, [1, 2, 3, 4]]
  let reads = 0
  const counted = (values: readonly (number | null)[]) =>
    new Proxy(values, {
      get: (target, name, receiver): unknown => {
        reads++
        return Reflect.get(target, name, receiver)
      },
    })
  const lines = Array.from({ length: count }, (_, index) => ({
    key: `${index}`,
    label: `${index}`,
    colour: '--series-1',
    values: counted(index < count - 1 ? [null, null, null, null] : [null, 1, 2, 3]),
  }))
  const columns = plotColumns({ lines, isStacked: true, times })
  assert.deepEqual(
    [columns[0], columns.at(-1)],
    [
      [null, 0, 0, 0],
      [null, 1, 2, 3],
    ],
  )
  assert.ok(reads <= 4 * count * times.length, `${reads} reads`)
})
