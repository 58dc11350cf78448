import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteTools } from '../runtime-node/byte-tools.ts'
import { memoryRuntime } from '../runtime-memory.ts'
import { createLoop } from '../deadline.ts'
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
  assert.deepEqual(temperaturesByName(readings, undefined).byName, { coretemp_core_0: 50, coretemp_core_0_2: 60, acpitz: 30 })
})

test('temperaturesByName: a filter takes these or all but these', () => {
  assert.deepEqual(temperaturesByName(readings, { mode: 'only', patterns: ['acpi*'] }).byName, { acpitz: 30 })
  assert.deepEqual(temperaturesByName(readings, { mode: 'except', patterns: ['core*'] }).byName, { acpitz: 30 })
})

test('temperaturesByName says why a sensor is left out', () => {
  const { skipped } = temperaturesByName([{ name: 'a', celsius: undefined }, ...readings], { mode: 'only', patterns: ['core*'] })
  assert.deepEqual(skipped, [
    { what: 'a', why: 'cannot be read' },
    { what: 'nvme', why: '0 °C is no temperature of a machine' },
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

test('temperaturesCollector: the hottest stands for the machine, unless one is named that exists', async () => {
  const of = async (primary: string | undefined) => (await machine(chips, { primary }).tick())?.dashboardCelsius
  assert.deepEqual([await of(undefined), await of('nvme'), await of('gone')], [45, 38, 45])
  assert.equal(await machine({}).tick(), undefined)
})

test('bug class 10: a sensor that takes 300 ms is asked once in ten minutes and costs the others nothing', async () => {
  const { collector, tick, memory } = machine(chips)
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45, nvme: 38 })
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45 })
  assert.deepEqual(collector.report?.().skipped?.at(-1), {
    what: 'class/hwmon/hwmon1/temp1_input',
    why: 'took 300 ms: not asked for ten minutes',
  })
  memory.advance(600_000)
  assert.deepEqual((await tick())?.temperatures, { coretemp: 45, nvme: 38 })
})

test('temperaturesCollector: a sensor that cannot be read leaves the others under their names', async () => {
  const { '/sys/class/hwmon/hwmon0/temp1_input': _faulty, ...others } = { ...chips, '/sys/class/hwmon/hwmon0/temp1_input': '' }
  const { memory, tick } = machine({ ...others, '/sys/class/hwmon/hwmon0/temp1_input': 'N/A' })
  assert.deepEqual((await tick())?.temperatures, { nvme: 38 })
  assert.ok(memory.logged.length === 0)
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
