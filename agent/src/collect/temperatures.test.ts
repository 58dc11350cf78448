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
  // Whole degrees and tenths, a thousand times too small.
  [0.045, 45],
  [0.45, 45],
] as const) {
  test(`plausibleCelsius: ${celsius} is ${expected}`, () => assert.equal(plausibleCelsius(celsius, false), expected))
}

test('plausibleCelsius: a driver that is known to write thousandths is taken at its word', () => {
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

test('temperaturesByName: a second of the same name gets its place, an unusable one is left out', () => {
  assert.deepEqual(temperaturesByName(readings, undefined).byName, { coretemp_core_0: 50, coretemp_core_0_2: 60, acpitz: 30 })
})

test('temperaturesByName: a sensor that cannot be read leaves its name to no other', () => {
  const names = new Map<string, string>()
  temperaturesByName(readings, undefined, names)
  const [first, ...others] = readings
  assert.ok(first !== undefined)
  const { byName } = temperaturesByName([{ ...first, celsius: undefined }, ...others], undefined, names)
  assert.deepEqual(byName, { coretemp_core_0_2: 60, acpitz: 30 })
})

test('temperaturesByName: a filter takes these or all but these', () => {
  assert.deepEqual(temperaturesByName(readings, { mode: 'only', patterns: ['acpi*'] }).byName, { acpitz: 30 })
  assert.deepEqual(temperaturesByName(readings, { mode: 'except', patterns: ['core*'] }).byName, { acpitz: 30 })
})

test('temperaturesByName says why a sensor is left out', () => {
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

test('temperaturesCollector: the hottest stands for the machine, unless one is named that exists', async () => {
  const of = async (primary: string | undefined) => (await machine(chips, { primary }).tick())?.dashboardCelsius
  assert.deepEqual([await of(undefined), await of('nvme'), await of('gone')], [45, 38, 45])
  assert.equal(await machine({}).tick(), undefined)
})

test('temperaturesCollector: a sensor in the cold passes zero degrees without a leap', async () => {
  const outside = '/sys/class/hwmon/hwmon0/temp1_input'
  const { memory, tick } = machine({ ...chips, [outside]: '1500' })
  const seen: (number | undefined)[] = []
  for (const text of ['1500', '999', '500', '15', '0', '-250', '-12000', '45']) {
    memory.replaceFiles({ ...chips, [outside]: text })
    seen.push((await tick())?.temperatures['coretemp'])
  }
  assert.deepEqual(seen, [1.5, 0.999, 0.5, 0.015, 0, -0.25, -12, 0.045])
})

test('temperaturesCollector: a driver that writes whole degrees is rescaled as long as it writes nothing else', async () => {
  const { tick } = machine({ ...chips, '/sys/class/hwmon/hwmon0/temp1_input': '45' })
  assert.equal((await tick())?.temperatures['coretemp'], 45)
  assert.equal((await tick())?.temperatures['coretemp'], 45)
})

test('temperaturesCollector: a machine that is cold throughout has its warmest sensor as its temperature', async () => {
  const { tick } = machine({ '/sys/class/hwmon/hwmon0/temp1_input': '-12000', '/sys/class/hwmon/hwmon1/temp1_input': '-3000' })
  assert.deepEqual(await tick(), { temperatures: { hwmon0: -12, hwmon1: -3 }, dashboardCelsius: -3 })
})

test('bug class 10: a sensor that takes 300 ms is asked twice in ten minutes and costs the others nothing', async () => {
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
