import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTemperature } from './temperature.ts'

for (const [celsius, unit, text] of [
  [51, 'celsius', '51 °C'],
  [51, 'fahrenheit', '124 °F'],
  [0, 'fahrenheit', '32 °F'],
  [-40, 'fahrenheit', '-40 °F'],
  [36.6, 'celsius', '36.6 °C'],
] as const) {
  test(`formatTemperature of ${celsius} in ${unit} is "${text}"`, () =>
    assert.equal(formatTemperature(celsius, { temperature: unit, locale: 'en-US' }), text))
}
