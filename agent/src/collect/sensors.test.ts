import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteTools } from '../runtime-node/byte-tools.ts'
import { memoryRuntime } from '../runtime-memory.ts'
import { procSource } from '../source/proc-source.ts'
import { findSensors, parseCelsius, plausibleCelsius, temperatureFamilies, temperaturesByName } from './sensors.ts'

for (const [text, expected] of [
  ['45000\n', 45],
  ['-5000', -5],
  ['48.5', 0.0485],
  ['', undefined],
  ['N/A', undefined],
  ['1e5', undefined],
] as const) {
  test(`parseCelsius: ${JSON.stringify(text)} is ${expected}`, () => assert.equal(parseCelsius(text), expected))
}

for (const [celsius, expected] of [
  [45, 45],
  [1, 1],
  [0, undefined],
  [-5, undefined],
  [200, undefined],
  // Whole degrees and tenths, a thousand times too small.
  [0.045, 45],
  [0.45, 45],
] as const) {
  test(`plausibleCelsius: ${celsius} is ${expected}`, () => assert.equal(plausibleCelsius(celsius), expected))
}

const readings = [
  { name: 'coretemp_core_0', celsius: 50 },
  { name: 'nvme', celsius: 0 },
  { name: 'coretemp_core_0', celsius: 60 },
  { name: 'acpitz', celsius: 30 },
]

test('temperaturesByName: a second of the same name gets its place, an unusable one is left out', () => {
  assert.deepEqual(temperaturesByName(readings, undefined), { coretemp_core_0: 50, coretemp_core_0_2: 60, acpitz: 30 })
})

test('temperaturesByName: a filter takes these or all but these', () => {
  assert.deepEqual(temperaturesByName(readings, { mode: 'only', patterns: ['acpi*'] }), { acpitz: 30 })
  assert.deepEqual(temperaturesByName(readings, { mode: 'except', patterns: ['core*'] }), { acpitz: 30 })
})

test('temperatureFamilies: the hottest stands for the machine, unless one is named that exists', () => {
  const of = (primary: string | undefined) => temperatureFamilies(readings, { filter: undefined, primary })?.dashboardCelsius
  assert.deepEqual([of(undefined), of('acpitz'), of('gone')], [60, 30, 60])
  assert.equal(temperatureFamilies([], { filter: undefined, primary: undefined }), undefined)
})

const sensorsOf = (files: Readonly<Record<string, string>>) =>
  findSensors(procSource(memoryRuntime({ files, bytes: byteTools }).runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })).map(
    ({ name, inputPath }) => `${name} ${inputPath}`,
  )

test('findSensors: inputs of the chips, named by chip and label', () => {
  assert.deepEqual(
    sensorsOf({
      '/sys/class/hwmon/hwmon0/name': 'coretemp\n',
      '/sys/class/hwmon/hwmon0/temp1_input': '45000',
      '/sys/class/hwmon/hwmon0/temp1_label': 'Core 0\n',
      '/sys/class/hwmon/hwmon1/name': 'nvme\n',
      '/sys/class/hwmon/hwmon1/temp1_input': '38000',
      '/sys/class/hwmon/hwmon1/fan1_input': '900',
      '/sys/class/thermal/thermal_zone0/type': 'acpitz\n',
    }),
    ['coretemp_core_0 class/hwmon/hwmon0/temp1_input', 'nvme class/hwmon/hwmon1/temp1_input'],
  )
})

test('findSensors: one folder down for old drivers, thermal zones without any chip', () => {
  assert.deepEqual(sensorsOf({ '/sys/class/hwmon/hwmon0/device/name': 'k10', '/sys/class/hwmon/hwmon0/device/temp1_input': '1' }), [
    'k10 class/hwmon/hwmon0/device/temp1_input',
  ])
  assert.deepEqual(
    sensorsOf({ '/sys/class/thermal/thermal_zone0/type': 'cpu-thermal\n', '/sys/class/thermal/cooling_device0/type': 'Fan' }),
    ['cpu-thermal class/thermal/thermal_zone0/temp'],
  )
  assert.deepEqual(sensorsOf({}), [])
})
