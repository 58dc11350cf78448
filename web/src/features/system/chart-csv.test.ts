import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chartCsv, csvFileName } from './chart-csv.ts'

const line = (label: string, values: readonly (number | null)[]) => ({ key: label, label, colour: '--series-1', values })
const start = Date.UTC(2026, 0, 31, 9, 30)

test('chartCsv writes times in UTC and numbers with all digits, under headings with the unit', () => {
  const lines = [line('User', [0.1 + 0.2, null]), line('System', [-3, 1e-7])]
  assert.equal(
    chartCsv({ unit: 'percent', times: [start, start + 60_000], lines }),
    'time,User (%),System (%)\r\n2026-01-31T09:30:00.000Z,0.30000000000000004,-3\r\n2026-01-31T09:31:00.000Z,,1e-7\r\n',
  )
})

test('chartCsv keeps zeros, and omits times without values', () => {
  const csv = chartCsv({ unit: 'load', times: [start, start + 1, start + 2], lines: [line('1 min', [0, null, 2])] })
  assert.equal(csv, 'time,1 min\r\n2026-01-31T09:30:00.000Z,0\r\n2026-01-31T09:30:00.002Z,2\r\n')
})

test('chartCsv has columns for the extremes of a line with extremes', () => {
  const spread = { ...line('Busy', [12, null]), extremes: { minimum: [3, null], maximum: [40.5, null] } }
  assert.equal(
    chartCsv({ unit: 'percent', times: [start, start + 1], lines: [spread] }),
    'time,Busy (%),Busy min (%),Busy max (%)\r\n2026-01-31T09:30:00.000Z,12,3,40.5\r\n',
  )
})

for (const [label, cell] of [
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"") (rpm)"`],
  ['+1', "'+1 (rpm)"],
  ['-fan', "'-fan (rpm)"],
  ['@SUM(A1)', "'@SUM(A1) (rpm)"],
  ['\t=1', "'\t=1 (rpm)"],
  ['a,b', '"a,b (rpm)"'],
  ['two\nlines', '"two\nlines (rpm)"'],
] as const) {
  test(`chartCsv writes the heading ${JSON.stringify(label)} as one cell of text, not as a formula`, () =>
    assert.equal(chartCsv({ unit: 'rpm', times: [], lines: [line(label, [])] }), `time,${cell}\r\n`))
}

test('chartCsv writes numbers that parse to the same numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
      const csv = chartCsv({ unit: 'bytes', times: values.map((_, index) => start + index), lines: [line('Used', values)] })
      const read = csv
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((row) => Number(row.split(',')[1]))
      // 0 and -0 look the same in a spreadsheet.
      assert.deepEqual(
        read.map((value) => value + 0),
        values.map((value) => value + 0),
      )
    }),
  )
})

for (const [system, title, name] of [
  ['gauge', 'Total CPU Usage', 'gauge-Total-CPU-Usage.csv'],
  ['../../etc/passwd', 'Disk I/O', 'etc-passwd-Disk-I-O.csv'],
  ['Küche "A"', 'Lüfter', 'Küche-A-Lüfter.csv'],
  ['🚀', 'Swap', 'Swap.csv'],
  ['x'.repeat(500), 'Swap', `${'x'.repeat(60)}-Swap.csv`],
] as const) {
  test(`csvFileName of ${JSON.stringify(system.slice(0, 20))} is valid on every file system`, () =>
    assert.equal(csvFileName(system, title), name))
}
