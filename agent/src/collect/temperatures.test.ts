import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { createLoop } from '../runtime/deadline.ts'
import { procSource } from '../source/proc-source.ts'
import { slowSysReader } from '../source/slow-reader.ts'
import {
  findSensors,
  parseCelsius,
  plausibleCelsius,
  temperaturesByName,
  temperaturesCollector,
  type SensorOptions,
} from './temperatures.ts'

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
  [0, 0],
  [-5, -5],
  [-49.9, -49.9],
  [-50, undefined],
  [-128, undefined],
  [200, undefined],
  // Drivers that write whole degrees or tenths, which look a thousand times too small.
  [0.045, 45],
  [0.45, 45],
] as const) {
  test(`plausibleCelsius: ${celsius} is ${expected}`, () => assert.equal(plausibleCelsius(celsius, false), expected))
}

test('plausibleCelsius keeps every value of a driver that is known to write thousandths', () => {
  assert.deepEqual(
    [0.5, 0.045, 0, -5, 45].map((celsius) => plausibleCelsius(celsius, true)),
    [0.5, 0.045, 0, -5, 45],
  )
})

const writesThousandths = true
const readings = [
  { name: 'coretemp_core_0', inputPath: '0', celsius: 50, writesThousandths },
  { name: 'nvme', inputPath: '1', celsius: -128, writesThousandths },
  { name: 'coretemp_core_0', inputPath: '2', celsius: 60, writesThousandths },
  { name: 'acpitz', inputPath: '3', celsius: 30, writesThousandths },
]

test('temperaturesByName numbers sensors of the same name, and omits unusable ones', () => {
  assert.deepEqual(temperaturesByName(readings, undefined).byName, { coretemp_core_0: 50, coretemp_core_0_2: 60, acpitz: 30 })
})

test('temperaturesByName gives a numbered sensor no name that another sensor has', () => {
  const same = ['a_2', 'a', 'a', 'a_3'].map((name, at) => ({ name, inputPath: String(at), celsius: 30 + at, writesThousandths }))
  assert.deepEqual(temperaturesByName(same, undefined).byName, { a_2: 30, a: 31, a_3: 32, a_3_3: 33 })
})

test('temperaturesByName does not give the name of an unreadable sensor to another sensor', () => {
  const names = new Map<string, string>()
  temperaturesByName(readings, undefined, names)
  const [first, ...others] = readings
  assert.ok(first !== undefined)
  const { byName } = temperaturesByName([{ ...first, celsius: undefined }, ...others], undefined, names)
  assert.deepEqual(byName, { coretemp_core_0_2: 60, acpitz: 30 })
})

test('temperaturesByName filters by a list of included or excluded names', () => {
  assert.deepEqual(temperaturesByName(readings, { mode: 'only', patterns: ['acpi*'] }).byName, { acpitz: 30 })
  assert.deepEqual(temperaturesByName(readings, { mode: 'except', patterns: ['core*'] }).byName, { acpitz: 30 })
})

test('temperaturesByName reports the reason for each omitted sensor', () => {
  const { skipped } = temperaturesByName([{ name: 'a', inputPath: '4', celsius: undefined, writesThousandths }, ...readings], {
    mode: 'only',
    patterns: ['core*'],
  })
  assert.deepEqual(skipped, [
    { what: 'a', why: 'cannot be read' },
    { what: 'nvme', why: '-128 °C is not a temperature of a machine' },
    { what: 'acpitz', why: 'left out by SENSORS' },
  ])
})

const chips = {
  '/sys/class/hwmon/hwmon0/name': 'coretemp\n',
  '/sys/class/hwmon/hwmon0/temp1_input': '45000',
  '/sys/class/hwmon/hwmon1/name': 'nvme\n',
  '/sys/class/hwmon/hwmon1/temp1_input': '38000',
}

function machine(files: Readonly<Record<string, string>>, options: Partial<SensorOptions> = {}) {
  const memory = memoryRuntime({ files, bytes: byteTools, readTookMs: (path) => (path.endsWith('hwmon1/temp1_input') ? 300 : 1) })
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const nowMs = () => memory.runtime.clock().monotonicMs
  const read = slowSysReader(createLoop(memory.runtime), '/sys')
  const collector = temperaturesCollector(source, read, { filter: undefined, primary: undefined, timeoutMs: 2000, ...options })
  return { memory, collector, tick: () => collector.collect({ atMs: nowMs(), consumer: 0 }) }
}

test('temperaturesCollector uses the hottest sensor for the machine, unless an existing sensor is configured', async () => {
  const of = async (primary: string | undefined) => (await machine(chips, { primary }).tick())?.dashboardCelsius
  assert.deepEqual([await of(undefined), await of('nvme'), await of('gone')], [45, 38, 45])
  assert.equal(await machine({}).tick(), undefined)
})

test('temperaturesCollector reports temperatures around zero degrees without a jump', async () => {
  const outside = '/sys/class/hwmon/hwmon0/temp1_input'
  const { memory, tick } = machine({ ...chips, [outside]: '1500' })
  const seen: (number | undefined)[] = []
  for (const text of ['1500', '999', '500', '15', '0', '-250', '-12000', '45']) {
    memory.replaceFiles({ ...chips, [outside]: text })
    seen.push((await tick())?.temperatures['coretemp'])
  }
  assert.deepEqual(seen, [1.5, 0.999, 0.5, 0.015, 0, -0.25, -12, 0.045])
})

test('temperaturesCollector rescales a driver that has written only whole degrees', async () => {
  const { tick } = machine({ ...chips, '/sys/class/hwmon/hwmon0/temp1_input': '45' })
  assert.equal((await tick())?.temperatures['coretemp'], 45)
  assert.equal((await tick())?.temperatures['coretemp'], 45)
})

test('temperaturesCollector uses the warmest sensor when all temperatures are below zero', async () => {
  const { tick } = machine({ '/sys/class/hwmon/hwmon0/temp1_input': '-12000', '/sys/class/hwmon/hwmon1/temp1_input': '-3000' })
  assert.deepEqual(await tick(), { temperatures: { hwmon0: -12, hwmon1: -3 }, dashboardCelsius: -3 })
})

test('bug class 10: a sensor that takes 300 ms is read twice in ten minutes and does not affect the others', async () => {
  const { collector, tick, memory } = machine(chips)
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45, nvme: 38 })
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45, nvme: 38 })
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45 })
  assert.deepEqual(collector.report?.().skipped?.at(-1), {
    what: 'class/hwmon/hwmon1/temp1_input',
    why: 'took 300 ms: not asked for ten minutes',
  })
  memory.advance(600_000)
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45, nvme: 38 })
})

test('temperaturesCollector reports the other sensors under their names when a sensor cannot be read', async () => {
  const { '/sys/class/hwmon/hwmon0/temp1_input': _faulty, ...others } = { ...chips, '/sys/class/hwmon/hwmon0/temp1_input': '' }
  const { memory, tick } = machine({ ...others, '/sys/class/hwmon/hwmon0/temp1_input': 'N/A' })
  assert.deepEqual((await tick())?.temperatures, { nvme: 38 })
  assert.ok(memory.logged.length === 0)
})

const sensorsOf = (files: Readonly<Record<string, string>>) =>
  findSensors(procSource(memoryRuntime({ files, bytes: byteTools }).runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })).map(
    ({ name, inputPath }) => `${name} ${inputPath}`,
  )

test('findSensors finds the inputs of chips, and names them by chip and label', () => {
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

test('findSensors finds old drivers one folder down, and thermal zones if there is no chip', () => {
  assert.deepEqual(sensorsOf({ '/sys/class/hwmon/hwmon0/device/name': 'k10', '/sys/class/hwmon/hwmon0/device/temp1_input': '1' }), [
    'k10 class/hwmon/hwmon0/device/temp1_input',
  ])
  assert.deepEqual(
    sensorsOf({ '/sys/class/thermal/thermal_zone0/type': 'cpu-thermal\n', '/sys/class/thermal/cooling_device0/type': 'Fan' }),
    ['cpu-thermal class/thermal/thermal_zone0/temp'],
  )
  assert.deepEqual(sensorsOf({}), [])
})
