import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson, inheritedName } from '../../../protocol/test/hostile-names.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { readSettings, writeSettings } from './stored-settings.ts'

const settings: fc.Arbitrary<Settings> = fc.record(
  {
    temperature: fc.constantFrom('celsius', 'fahrenheit'),
    network: fc.constantFrom('bytes', 'bits'),
    disk: fc.constantFrom('bytes', 'bits'),
    hours: fc.constantFrom(12, 24, undefined),
    timeZone: fc.constantFrom('Asia/Kathmandu', 'UTC', undefined),
    range: fc.constantFrom('1h', '12h', '24h', '1w', '30d'),
    chartColumns: fc.constantFrom(1, 2),
    pageWidth: fc.option(fc.integer({ min: 1000, max: 2000 }), { nil: undefined }),
  },
  { noNullPrototype: true },
)

test('readSettings reads back what writeSettings wrote, over whatever stood there', () => {
  fc.assert(
    fc.property(settings, settings, (before, after) => {
      const other = { emails: ['a@b.c'], webhooks: [], colorWarn: 65 }
      const stored = writeSettings(writeSettings(other, before), after)
      assert.deepEqual(readSettings(stored), after)
      assert.deepEqual({ ...stored, ...other }, stored)
    }),
  )
})

test('readSettings takes what other clients write: numbers as texts, and a range of a minute', () => {
  const stored = { chartTime: '12h', unitTemp: '3', unitNet: '1', unitDisk: '0', hourFormat: '24h', layoutWidth: '1580' }
  assert.deepEqual(readSettings(stored), {
    ...defaultSettings,
    range: '12h',
    temperature: 'fahrenheit',
    network: 'bits',
    hours: 24,
    timeZone: undefined,
    pageWidth: 1580,
  })
  assert.equal(readSettings({ chartTime: '1m' }).range, '1h')
})

test('readSettings of anything is settings', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.constantFrom('chartTime', 'unitTemp', 'timeZone', 'layoutWidth', 'chartColumns'), inheritedName), anyJson),
      (stored) => {
        assert.doesNotThrow(() => writeSettings(stored, readSettings(stored)))
      },
    ),
  )
  const none = { ...defaultSettings, hours: undefined, timeZone: undefined, pageWidth: undefined }
  assert.deepEqual(readSettings({}), none)
  assert.deepEqual(readSettings({ timeZone: 'Mars/Olympus', layoutWidth: 10, chartTime: 'for ever' }), none)
})
