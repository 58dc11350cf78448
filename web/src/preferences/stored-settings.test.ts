import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson, inheritedName } from '../../../protocol/test/hostile-names.ts'
import { defaultSettings, seriesCounts, type Settings } from './settings.ts'
import { storedChange } from './stored-change.ts'
import { readSettings, type StoredSettings } from './stored-settings.ts'

const columns = fc.constantFrom('load,-disk,cpu', 'memory', undefined)
const noColumns = { systems: undefined, containers: undefined, services: undefined, drives: undefined }

const settings: fc.Arbitrary<Settings> = fc.record(
  {
    temperature: fc.constantFrom('celsius', 'fahrenheit'),
    network: fc.constantFrom('bytes', 'bits'),
    disk: fc.constantFrom('bytes', 'bits'),
    hours: fc.constantFrom(12, 24, undefined),
    timeZone: fc.constantFrom('Asia/Kathmandu', 'UTC', undefined),
    range: fc.constantFrom('1h', '12h', '24h', '1w', '30d'),
    chartColumns: fc.constantFrom(1, 2),
    isCompact: fc.boolean(),
    chartSeries: fc.constantFrom(...seriesCounts),
    pageWidth: fc.option(fc.integer({ min: 1000, max: 2000 }), { nil: undefined }),
    groupContainers: fc.boolean(),
    columns: fc.record({ systems: columns, containers: columns, services: columns, drives: columns }, { noNullPrototype: true }),
  },
  { noNullPrototype: true },
)

/** Merges a change like the hub does. */
function merged(stored: StoredSettings, change: StoredSettings): StoredSettings {
  return Object.fromEntries(Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null))
}

test('readSettings reads the settings that storedChange wrote, over any earlier values', () => {
  fc.assert(
    fc.property(settings, settings, (before, after) => {
      const other = { emails: ['a@b.c'], webhooks: [], colorWarn: 65 }
      const stored = merged(merged(other, storedChange(before)), storedChange(after))
      assert.deepEqual(readSettings(stored), after)
      assert.deepEqual({ ...stored, ...other }, stored)
    }),
  )
})

test('storedChange contains only the changed settings', () => {
  assert.deepEqual(storedChange({ temperature: 'fahrenheit' }), { unitTemp: 3 })
  assert.deepEqual(storedChange({ timeZone: undefined, chartColumns: 2 }), { timeZone: null, chartColumns: null })
  assert.deepEqual(storedChange({ columns: { drives: undefined, systems: 'cpu,-disk' } }), {
    columns_drives: null,
    columns_systems: 'cpu,-disk',
  })
  fc.assert(
    fc.property(settings, settings, fc.constantFrom('temperature', 'hours', 'timeZone', 'range'), (stored, chosen, name) => {
      const before = merged({}, storedChange(stored))
      const after = readSettings(merged(before, storedChange({ [name]: chosen[name] })))
      assert.deepEqual(after, { ...stored, [name]: chosen[name] })
    }),
  )
})

test('readSettings accepts the formats of other clients: numbers as texts, and a range of a minute', () => {
  const stored = { chartTime: '12h', unitTemp: '3', unitNet: '1', unitDisk: '0', hourFormat: '24h', layoutWidth: '1580' }
  assert.deepEqual(readSettings(stored), {
    ...defaultSettings,
    range: '12h',
    temperature: 'fahrenheit',
    network: 'bits',
    hours: 24,
    timeZone: undefined,
    chartSeries: 20,
    pageWidth: 1580,
    columns: noColumns,
  })
  assert.equal(readSettings({ chartTime: '1m' }).range, '1h')
})

test('readSettings of any value returns valid settings', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.oneof(
          fc.constantFrom('chartTime', 'unitTemp', 'timeZone', 'layoutWidth', 'chartColumns', 'chartSeries', 'density'),
          inheritedName,
        ),
        anyJson,
      ),
      (stored) => {
        assert.doesNotThrow(() => storedChange(readSettings(stored)))
      },
    ),
  )
  const none = {
    ...defaultSettings,
    hours: undefined,
    timeZone: undefined,
    pageWidth: undefined,
    columns: noColumns,
  }
  assert.deepEqual(readSettings({}), none)
  assert.deepEqual(readSettings({ timeZone: 'Mars/Olympus', layoutWidth: 10, chartSeries: 7, chartTime: 'for ever' }), none)
})
