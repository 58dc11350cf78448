import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameOfSamples } from '../../chart/series-frame.ts'
import { chartsFor, expectedCharts, kindOf, wideChart } from './charts-model.ts'

const window = { fromMs: 0, toMs: 3_600_000 }
const frame = (...rows: readonly Readonly<Record<string, number>>[]) =>
  frameOfSamples(
    rows.map((values, index) => ({ at: (index + 1) * 60_000, values })),
    window,
    60_000,
  )
const host = frame({ 'cpu.busyPercent': 12 })
const containers = frame({ 'web.cpuPercent': 1 })

test('§2 charts: the five that are always shown are shown', () => {
  assert.deepEqual(chartsFor({ system: host, containers: frame() }), ['cpu', 'memory', 'disk-usage', 'disk-io', 'bandwidth'])
  assert.deepEqual(expectedCharts, ['cpu', 'memory', 'disk-usage', 'disk-io', 'bandwidth'])
})

test('§2 charts: the docker charts are shown when container stats are not empty', () => {
  const shown = chartsFor({ system: host, containers })
  assert.deepEqual(
    shown.filter((id) => kindOf(id) === 'containers'),
    ['container-cpu', 'container-memory', 'container-network'],
  )
})

for (const [what, rows, isShown] of [
  ['latest swap is above 0', [{ 'swap.totalBytes': 0 }, { 'swap.totalBytes': 4e9 }], true],
  ['latest swap is 0', [{ 'swap.totalBytes': 4e9 }, { 'swap.totalBytes': 0 }], false],
  ['swap is unknown', [{ 'cpu.busyPercent': 1 }], false],
] as const) {
  test(`§2 Swap Usage: ${isShown ? 'shown' : 'not shown'} when ${what}`, () => {
    assert.equal(chartsFor({ system: frame(...rows), containers: undefined }).includes('swap'), isShown)
  })
}

for (const [what, rows, isShown] of [
  ['the latest record has temperatures', [{ 'temperature.cpu.celsius': 40 }], true],
  ['only an earlier record has temperatures', [{ 'temperature.cpu.celsius': 40 }, { 'cpu.busyPercent': 1 }], false],
] as const) {
  test(`§2 Temperature: ${isShown ? 'shown' : 'not shown'} when ${what}`, () => {
    assert.equal(chartsFor({ system: frame(...rows), containers: undefined }).includes('temperature'), isShown)
  })
}

test('§8 stats fetch fails: that chart set is not shown, the other is', () => {
  assert.deepEqual(chartsFor({ system: undefined, containers }), ['container-cpu', 'container-memory', 'container-network'])
  assert.equal(chartsFor({ system: host, containers: undefined }).length, 5)
})

test('wideChart widens a card so that an odd number fills whole rows when container charts are on the right', () => {
  const all = chartsFor({ system: frame({ 'swap.totalBytes': 1 }), containers })
  assert.equal(all.length, 9)
  assert.equal(wideChart(all), 'disk-io')
  const withDisk = chartsFor({ system: host, containers: frame({ 'web.cpuPercent': 1, 'web.diskReadBytesPerSecond': 0 }) })
  assert.deepEqual(withDisk.slice(-5), ['disk-usage', 'disk-io', 'container-disk', 'bandwidth', 'container-network'])
  assert.equal(wideChart(withDisk), 'disk-usage')
  assert.equal(wideChart(expectedCharts), 'bandwidth')
  assert.equal(wideChart(['cpu', 'memory']), undefined)
})
