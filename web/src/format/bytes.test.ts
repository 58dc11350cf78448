import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitScale, byteScale, formatAmount, formatBytes, formatNetworkRate } from './bytes.ts'

for (const [bytes, unit] of [
  [0, 'B'],
  [1023, 'B'],
  [1024, 'kB'],
  [1024 ** 3, 'GB'],
  [-(1024 ** 2), 'MB'],
  [1024 ** 7, 'PB'],
] as const) {
  test(`byteScale of ${bytes} is in ${unit}`, () => assert.equal(byteScale(bytes).unit, unit))
}

for (const [value, text] of [
  [0, '0'],
  [0.424, '0.42'],
  [42.42, '42.4'],
  [424.2, '424'],
] as const) {
  test(`formatAmount of ${value} is "${text}"`, () => assert.equal(formatAmount(value, { locale: 'en' }), text))
}

test('bitScale has steps of 1000', () => assert.deepEqual(bitScale(1000), { unit: 'kbit', divisor: 1000 }))

test('formatBytes uses the scale that fits', () => assert.equal(formatBytes(1_500_000, { locale: 'de' }), '1,43 MB'))

test('formatNetworkRate uses bytes, or eight times as many bits', () => {
  assert.equal(formatNetworkRate(1_500_000, { network: 'bytes', locale: 'de' }), '1,43 MB/s')
  assert.equal(formatNetworkRate(1_500_000, { network: 'bits', locale: 'en' }), '12 Mbit/s')
  assert.equal(formatNetworkRate(0, { network: 'bits', locale: 'en' }), '0 bit/s')
})
