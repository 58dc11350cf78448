import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiskAttribute } from './disk-health.ts'
import { driveWearPercent } from './drive-wear.ts'
import { drivePoints, valuesOf } from './series.ts'

const cases: readonly (readonly [string, readonly DiskAttribute[] | undefined, number | undefined])[] = [
  ['a drive without attributes', undefined, undefined],
  ['a hard disk', [{ name: 'Reallocated_Sector_Ct', value: 100, raw: 0 }], undefined],
  ['a new NVMe drive', [{ name: 'PercentageUsed', raw: 0 }], 0],
  ['an NVMe drive', [{ name: 'PercentageUsed', raw: 7 }], 7],
  ['an NVMe drive beyond its rating', [{ name: 'PercentageUsed', raw: 130 }], 130],
  ['an impossible percentage', [{ name: 'PercentageUsed', raw: 256 }], undefined],
  ['a negative percentage', [{ name: 'PercentageUsed', raw: -1 }], undefined],
  [
    'an eMMC drive with two estimates (the worse counts)',
    [
      { name: 'DeviceLifeTimeEstA', raw: 2 },
      { name: 'DeviceLifeTimeEstB', raw: 4 },
    ],
    30,
  ],
  [
    'an eMMC drive with one estimate',
    [
      { name: 'DeviceLifeTimeEstA', raw: 0 },
      { name: 'DeviceLifeTimeEstB', raw: 1 },
    ],
    0,
  ],
  ['an eMMC drive beyond its rating', [{ name: 'DeviceLifeTimeEstA', raw: 11 }], 100],
  ['an invalid eMMC estimate', [{ name: 'DeviceLifeTimeEstA', raw: 12 }], undefined],
  ['an SSD of Samsung', [{ id: 177, name: 'Wear_Leveling_Count', value: 93, raw: 140 }], 7],
  ['an SSD of Crucial', [{ id: 202, name: 'Percent_Lifetime_Remain', value: 88, raw: 12 }], 12],
  ['an SSD of Intel', [{ id: 233, name: 'Media_Wearout_Indicator', value: 100, raw: 0 }], 0],
  ['an SSD at its end of life', [{ id: 231, name: 'SSD_Life_Left', value: 0, raw: 0 }], 100],
  ['an unknown scale', [{ id: 177, name: 'Wear_Leveling_Count', value: 200, raw: 0 }], undefined],
  ['an unknown normalised value', [{ id: 177, name: 'Wear_Leveling_Count', raw: 3 }], undefined],
  [
    'the worse of two attributes',
    [
      { name: 'Wear_Leveling_Count', value: 97, raw: 0 },
      { name: 'SSD_Life_Left', value: 90, raw: 0 },
    ],
    10,
  ],
]

for (const [name, attributes, expected] of cases) {
  test(`driveWearPercent of ${name}`, () => {
    assert.equal(driveWearPercent(attributes === undefined ? {} : { attributes }), expected)
  })
}

test('drivePoints omits unknown values, and drives that were not read this time', () => {
  const attributes = [{ name: 'PercentageUsed', raw: 3 }]
  assert.deepEqual(
    valuesOf(
      drivePoints([
        { id: 'unknown', status: 'UNKNOWN' },
        { id: 'cold', status: 'PASSED', celsius: 0 },
        { id: 'asleep', status: 'PASSED', celsius: 31, attributes, ageMs: 3_600_000 },
        { id: 'a.b', status: 'PASSED', celsius: 31, attributes },
      ]),
    ),
    { 'drive.a.b.celsius': 31, 'drive.a.b.wearPercent': 3 },
  )
})

for (const name of ['__proto__', 'constructor'])
  test(`drivePoints treats a drive called "${name}" like any other`, () => {
    assert.deepEqual(valuesOf(drivePoints([{ id: name, status: 'PASSED', celsius: 31 }])), { [`drive.${name}.celsius`]: 31 })
  })
