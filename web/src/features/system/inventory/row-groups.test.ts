import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupRows, sumOf } from './row-groups.ts'

type Row = { readonly project?: string; readonly cpu?: number }

const rows: readonly Row[] = [
  { cpu: 4 },
  { project: 'shop', cpu: 1 },
  { project: 'blog', cpu: 2 },
  { project: 'shop' },
  { project: '__proto__' },
  { project: 'shop', cpu: 1.5 },
]
const cpuOf = ({ cpu }: Row) => cpu
const projectOf = ({ project }: Row) => project

test('sumOf adds known values and counts unknown ones', () => {
  assert.deepEqual(sumOf(rows, cpuOf), { sum: 8.5, unknownRows: 2 })
  assert.deepEqual(sumOf([{ cpu: 0 }], cpuOf), { sum: 0, unknownRows: 0 })
})

test('sumOf of unknown values only is unknown, not 0', () => {
  assert.deepEqual(sumOf([{}, {}], cpuOf), { sum: undefined, unknownRows: 2 })
})

test('groupRows sorts groups by name, with ungrouped rows last in both directions', () => {
  const names = (isDescending: boolean) => groupRows(rows, projectOf, { isDescending }).map(({ name }) => name)
  assert.deepEqual(names(false), ['__proto__', 'blog', 'shop', undefined])
  assert.deepEqual(names(true), ['shop', 'blog', '__proto__', undefined])
})

test('groupRows sorts groups by a sum, with unknown sums last, and keeps the order of the rows', () => {
  const groups = groupRows(rows, projectOf, { isDescending: true, amount: cpuOf })
  assert.deepEqual(
    groups.map(({ name }) => name),
    [undefined, 'shop', 'blog', '__proto__'],
  )
  assert.deepEqual(groups[1]?.rows, [rows[1], rows[3], rows[5]])
})
