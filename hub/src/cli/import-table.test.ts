import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importCosts, importTable } from './import-table.ts'
import { importProgress } from './import/import-progress.ts'

const line = { what: 'users', found: 3, taken: 3, present: 0, changed: [], leftOut: [] }
const plan = { lines: [line], rows: 3, bytes: 1, write: async () => {} }

test('importTable lists each kind of data, then the reasons with their examples', () => {
  const systems = {
    what: 'systems',
    found: 12,
    taken: 9,
    present: 1,
    changed: [{ reason: 'renamed, because the name exists', count: 1, examples: ['web (2)'] }],
    leftOut: [{ reason: 'no owner', count: 2, examples: ['a'] }],
  }
  assert.deepEqual(importTable([line, systems]).split('\n'), [
    'DATA     FOUND  TAKEN  ALREADY HERE  CHANGED  LEFT OUT',
    'users    3      3      0             0        0',
    'systems  12     9      1             1        2',
    '',
    'Changed:',
    '  systems: 1 × renamed, because the name exists (web (2))',
    '',
    'Left out:',
    '  systems: 2 × no owner (a, …)',
  ])
})

test('importTable replaces characters that a terminal obeys, and cuts long texts', () => {
  const remark = { reason: 'bad', count: 2, examples: ['\u001b[2Jx\ny\u202e', 'n'.repeat(200), '😀'.repeat(100)] }
  const text = importTable([{ ...line, leftOut: [remark] }])
  assert.match(text, /bad \(\uFFFD\[2Jx\uFFFDy\uFFFD, n{60}…, 😀{30}…\)$/u)
})

test('importCosts says the disk space and the time', () => {
  const costs = importCosts([plan, { ...plan, rows: 4500 * 60 * 3, bytes: 5 * 1024 ** 2 }], 9 * 1024 ** 2)
  assert.equal(costs, 'Disk space: about 6 MiB needed, 9 MiB free\nTime: about 3 min')
  assert.match(importCosts([plan], 0), /Time: less than 1 min$/)
})

test('importProgress prints a line for every 5 percent, and never goes back', () => {
  let text = ''
  const progress = importProgress({ totalRows: 200, isInteractive: false, write: (more) => (text += more) })
  for (const done of [0, 1, 9, 10, 10, 45, 30, 199, 200, 201]) progress.report(done)
  progress.end()
  assert.equal(text, '0 %\n5 %\n20 %\n95 %\n100 %\n')
})

test('importProgress draws a bar on a terminal', () => {
  let text = ''
  const progress = importProgress({ totalRows: 4, isInteractive: true, write: (more) => (text += more) })
  for (const done of [1, 4]) progress.report(done)
  progress.end()
  assert.equal(text, `\r[${'#'.repeat(8)}${' '.repeat(22)}]  25 %\r[${'#'.repeat(30)}] 100 %\n`)
})

test('importProgress of nothing is complete', () => {
  let text = ''
  importProgress({ totalRows: 0, isInteractive: false, write: (more) => (text += more) }).report(0)
  assert.equal(text, '100 %\n')
})
