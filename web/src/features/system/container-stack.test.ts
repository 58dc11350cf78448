import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameOfSamples } from '../../chart/series-frame.ts'
import { addColumns, containerNames, onlyContainers, stackOf } from './container-stack.ts'

const frame = frameOfSamples(
  [
    { at: 60_000, values: { 'web.1.cpuPercent': 1, 'db.cpuPercent': 5 } },
    { at: 120_000, values: { 'web.1.cpuPercent': 2, 'db.cpuPercent': 4 } },
  ],
  { fromMs: 0, toMs: 120_000 },
  60_000,
)
const cpu = stackOf(frame, 'percent', (name) => frame.series.get(`${name}.cpuPercent`) ?? [])

test('containerNames keeps dots in names', () => assert.deepEqual(containerNames(frame), ['db', 'web.1']))

test('stackOf sorts the container with the highest use to the bottom and sums the latest values', () => {
  assert.deepEqual(
    cpu.lines.map(({ label }) => label),
    ['db', 'web.1'],
  )
  assert.equal(cpu.headline, 6)
})

test('onlyContainers filters lines and their sum, and keeps the colours', () => {
  const narrowed = onlyContainers(cpu, 'WEB')
  assert.deepEqual(narrowed.lines, cpu.lines.slice(1))
  assert.equal(narrowed.headline, 2)
})

test('addColumns uses the known value if the other is unknown', () => {
  assert.deepEqual(addColumns([1, null, 3, null], [10, 20, null, null]), [11, 20, 3, null])
})
