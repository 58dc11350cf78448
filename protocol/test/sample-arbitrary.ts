import * as fc from 'fast-check'
import type { Sample } from '../src/metrics/sample.ts'
import {
  agedFamilies,
  batteryStates,
  containerHealths,
  hostScopedFamilies,
  operatingSystems,
  serviceStates,
  serviceSubStates,
} from '../src/wire/keys.ts'
import { GIBIBYTE, MEBIBYTE } from '../src/wire/units.ts'
import { inheritedName } from './hostile-names.ts'

/** Creates a generator of numbers with at most two decimals, which the wire preserves exactly. */
const hundredths = (max: number) => fc.nat(max * 100).map((value) => value / 100)
const percent = hundredths(100)
const celsius = fc.integer({ min: -5000, max: 19_900 }).map((value) => value / 100)
const gibibytes = hundredths(4096).map((value) => value * GIBIBYTE)
const mebibytes = hundredths(100_000).map((value) => value * MEBIBYTE)
const whole = fc.nat({ max: 2 ** 31 - 1 })
const total = fc.maxSafeInteger().map(Math.abs)
const plain = { noNullPrototype: true } as const
const name = fc.oneof({ weight: 3, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) }, inheritedName)
const byName = <T>(value: fc.Arbitrary<T>) => fc.dictionary(name, value, { minKeys: 1, maxKeys: 4, ...plain })

const optionalOnly = { requiredKeys: [], ...plain }

const activity = fc.record(
  {
    readPercent: hundredths(1000),
    writePercent: hundredths(1000),
    utilisationPercent: percent,
    readAwaitMs: hundredths(1000),
    writeAwaitMs: hundredths(1000),
    weightedPercent: hundredths(1000),
  },
  { requiredKeys: ['readPercent', 'writePercent', 'utilisationPercent', 'weightedPercent'], ...plain },
)

const inodes = { inodesTotal: total, inodesUsed: total }
const rates = { readBytesPerSecond: whole, writtenBytesPerSecond: whole }

const machine = fc.oneof(
  fc.record({ threads: whole }, plain),
  fc.record(
    {
      hostname: fc.string(),
      kernel: fc.string(),
      cpuModel: fc.string(),
      cores: whole,
      threads: whole,
      os: fc.constantFrom(...operatingSystems),
      osName: fc.string(),
      architecture: fc.string(),
      totalMemoryBytes: total,
      podman: fc.boolean(),
      smartIntervalMs: fc.nat(86_400_000),
      container: fc.string({ minLength: 1 }),
      hostScoped: fc.subarray([...hostScopedFamilies], { minLength: 1 }),
      tags: fc.array(fc.string(), { minLength: 1 }),
    },
    { requiredKeys: ['hostname'], ...plain },
  ),
)

const extraDisk = fc.record({ totalBytes: gibibytes, usedBytes: gibibytes, usedPercent: percent, activity, ...rates, ...inodes }, plain)

const pressure = fc.record({ somePercent: percent, fullPercent: percent }, { requiredKeys: ['somePercent'], ...plain })

const container = fc.record(
  {
    name,
    id: fc.stringMatching(/^[0-9a-f]{12}$/),
    cpuPercent: percent,
    memoryBytes: mebibytes,
    health: fc.constantFrom(...containerHealths),
    status: fc.string(),
    image: fc.string(),
    ports: fc.string(),
    restarts: whole,
    composeProject: fc.string(),
    composeService: fc.string(),
    networkOf: fc.string(),
    memoryLimitBytes: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    cpuLimitCpus: fc.integer({ min: 1, max: 100_000 }).map((value) => value / 100),
  },
  { requiredKeys: ['name', 'health', 'status', 'image', 'ports'], ...plain },
)

const containerEvent = fc.record(
  { atMs: total, container: name, exitCode: fc.nat(255), outOfMemory: fc.boolean() },
  { requiredKeys: ['atMs', 'container', 'outOfMemory'], ...plain },
)

const service = fc.record(
  {
    name,
    state: fc.constantFrom(...serviceStates),
    subState: fc.constantFrom(...serviceSubStates),
    cpuPercent: percent,
    cpuPeakPercent: percent,
    memoryBytes: total,
    memoryPeakBytes: total,
  },
  { requiredKeys: ['name', 'state', 'subState'], ...plain },
)

const gpu = fc.record(
  {
    name,
    usagePercent: percent,
    memoryUsedMegabytes: hundredths(9999),
    memoryTotalMegabytes: hundredths(99_999),
    sharedMemoryUsedMegabytes: hundredths(9999),
    sharedMemoryTotalMegabytes: hundredths(99_999),
    powerWatts: hundredths(900),
    enginePercent: byName(percent),
  },
  { requiredKeys: ['name'], ...plain },
)

/** Generator of samples of a Vedette agent, with values that the wire carries without rounding. */
export const sampleArbitrary: fc.Arbitrary<Sample> = fc.record(
  {
    takenAtMs: total,
    ages: fc.dictionary(fc.constantFrom(...agedFamilies), fc.nat(150_000), { minKeys: 1, ...plain }),
    cpu: fc.record(
      {
        busyPercent: percent,
        shares: fc.record(
          { userPercent: percent, systemPercent: percent, iowaitPercent: percent, stealPercent: percent, idlePercent: percent },
          plain,
        ),
        coreBusyPercent: fc.array(fc.option(fc.nat(100), { nil: undefined }), { maxLength: 64 }),
      },
      { requiredKeys: ['busyPercent'], ...plain },
    ),
    memory: fc.record(
      { totalBytes: gibibytes, usedBytes: gibibytes, usedPercent: percent, cacheBytes: gibibytes, zfsArcBytes: gibibytes },
      { requiredKeys: ['totalBytes', 'usedBytes', 'usedPercent'], ...plain },
    ),
    swap: fc.record({ totalBytes: gibibytes, usedBytes: gibibytes }, plain),
    load: fc.record({ oneMinute: hundredths(500), fiveMinutes: hundredths(500), fifteenMinutes: hundredths(500) }, plain),
    uptimeSeconds: whole,
    rootDisk: fc.record({ totalBytes: gibibytes, usedBytes: gibibytes, usedPercent: percent, activity, ...rates, ...inodes }, plain),
    extraDisks: byName(extraDisk),
    pressure: fc.record({ cpu: pressure, memory: pressure, io: pressure }, optionalOnly),
    network: fc.record(
      {
        sentBytesPerSecond: whole,
        receivedBytesPerSecond: whole,
        interfaces: byName(
          fc.record({ sentBytesPerSecond: whole, receivedBytesPerSecond: whole, sentBytesTotal: total, receivedBytesTotal: total }, plain),
        ),
      },
      { requiredKeys: ['sentBytesPerSecond', 'receivedBytesPerSecond'], ...plain },
    ),
    temperatures: byName(celsius),
    dashboardCelsius: celsius,
    fans: byName(fc.nat(0xffff)),
    battery: fc.record({ percent: fc.nat(100), state: fc.constantFrom(...batteryStates) }, plain),
    batteries: byName(fc.nat(100)),
    gpus: fc.dictionary(fc.oneof(name, fc.nat(64).map(String)), gpu, { minKeys: 1, maxKeys: 4, ...plain }),
    containers: fc.array(container, { maxLength: 5 }),
    containerEvents: fc.array(containerEvent, { maxLength: 5 }),
    services: fc.array(service, { maxLength: 5 }),
    serviceCounts: fc.record({ total: fc.nat(0xffff), failed: fc.nat(0xffff) }, plain),
    machine,
    link: fc.constantFrom('ssh' as const, 'websocket' as const),
  },
  optionalOnly,
)
