import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAge, formatUptime } from './duration.ts'

for (const [seconds, text] of [
  [3_599, '0 hours'],
  [3_600, '1 hour'],
  [172_799, '47 hours'],
  [172_800, '2 days'],
  [259_199, '2 days'],
] as const) {
  test(`§9 uptime: ${seconds} s is "${text}"`, () => assert.equal(formatUptime(seconds, { locale: 'en' }), text))
}

test('formatUptime supports German', () => assert.equal(formatUptime(93_600, { locale: 'de' }), '26 Stunden'))

for (const [ageMs, text] of [
  [-5_000, '0 sec. ago'],
  [12_999, '12 sec. ago'],
  [390_000, '6 min. ago'],
  [7_200_000, '2 hr. ago'],
  [200_000_000, '2 days ago'],
] as const) {
  test(`formatAge of ${ageMs} ms is "${text}"`, () => assert.equal(formatAge(ageMs, { locale: 'en' }), text))
}
