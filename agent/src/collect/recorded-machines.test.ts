import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import type { DiskSample, InterfaceSample, NetworkSample, Sample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { nodeUtf8 } from '../../../protocol/test/node-utf8.ts'
import { fromHex, readRecording } from '../../../protocol/test/recorded.ts'
import { readConfig } from '../config/config.ts'
import { createLoop } from '../runtime/deadline.ts'
import { filesystemFacts, nicResetNetDev, recordedFiles, type Files, type RecordedStatfs } from '../fixtures/recorded-machine.ts'
import { logTo } from '../runtime/log.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { createSampler, POLL_CACHE_TIME_MS } from './sampling/sampler.ts'
import { collectors } from './collectors.ts'
import { runner } from './run-all.ts'

type RecordedSample = {
  readonly label: string
  readonly files: 't0' | 't1' | 't2'
  readonly asked_at_ms: number
  readonly answered_at_ms: number
  readonly stdout_hex: string
}
type Expected = {
  readonly environment: Readonly<Record<string, string>>
  readonly statfs: Readonly<Record<string, RecordedStatfs>>
  readonly samples: readonly RecordedSample[]
}

const recordings: readonly (readonly ['machine-1' | 'machine-2', string])[] = [
  ['machine-1', 'machine-1/expected-head.json'],
  ['machine-2', 'machine-2/expected-head.json'],
  ['machine-2', 'machine-2/expected-head.filesystem.json'],
  ['machine-2', 'machine-2/expected-head.mem-calc-htop.json'],
  ['machine-2', 'machine-2/expected-head.nics-exclude.json'],
  ['machine-2', 'machine-2/expected-head.nics-include.json'],
  ['machine-2', 'machine-2/expected-head.sensors.json'],
  ['machine-2', 'machine-2-nic-reset/expected-head.json'],
]
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

/** All collectors of the agent over the recorded files, without the rest of the agent. */
function agentOn(environment: Readonly<Record<string, string>>, files: Files, statfs: Readonly<Record<string, RecordedStatfs>>) {
  const { SMART_DEVICES: _smart, ...env } = environment
  const memory = memoryRuntime({ files, filesystems: filesystemFacts(statfs), env: { ...env, KEY, DOCKER_HOST: '' }, bytes: byteTools })
  const config = readConfig(memory.runtime)
  assert.ok(config.kind === 'run', JSON.stringify(config))
  const loop = createLoop(memory.runtime)
  const log = logTo(memory.runtime, 'debug')
  const { run } = runner(collectors(memory.runtime, loop, config.config.collect), loop, log, memory.runtime.clock)
  const seed = () => run({ atMs: memory.runtime.clock().monotonicMs, consumer: POLL_CACHE_TIME_MS })
  return { memory, seed, sampler: createSampler(run, loop, memory.runtime.clock) }
}

/** The sample as the hub receives it: rounded by the wire format. */
function overTheWire(sample: Sample): Sample {
  const item = decodeCbor(encodeCbor(encodeDocument(sample), nodeUtf8), nodeUtf8)
  assert.ok(item.ok)
  const document = decodeDocument(item.value)
  assert.ok(document.ok)
  return document.sample
}

function recordedSample({ stdout_hex }: RecordedSample): Sample {
  const item = decodeCbor(fromHex(stdout_hex), nodeUtf8)
  assert.ok(item.ok)
  const envelope = decodeEnvelope(item.value, 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document')
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok)
  return document.sample
}

for (const [machine, path] of recordings) {
  const { environment, statfs, samples } = readRecording<Expected>(`agent/${path}`)
  const resets = path.includes('nic-reset')
  const filesAt = (moment: RecordedSample['files']): Files => ({
    ...recordedFiles(machine, moment),
    ...(resets && moment === 't1' ? { '/proc/net/dev': nicResetNetDev() } : {}),
  })

  test(`collectors compute from ${path} the values of the recorded agent`, async () => {
    const { memory, seed, sampler } = agentOn(environment, filesAt('t0'), statfs)
    await seed()
    let compared = 0
    for (const recorded of samples) {
      if (recorded.label.startsWith('SMART')) continue
      memory.advance(recorded.asked_at_ms - memory.runtime.clock().monotonicMs)
      memory.replaceFiles(filesAt(recorded.files))
      const cacheTimeMs = recorded.label.startsWith('60000') ? 60_000 : 1000
      const sample = overTheWire(await sampler.take({ cacheTimeMs, includeFacts: recorded.asked_at_ms === 0, link: 'ssh' }))
      const expected = recordedSample(recorded)
      compareSteady(sample, expected)
      // Other agents send 0 for an unknown rate, so only samples with elapsed time have comparable rates.
      // After a reset the recorded agent discards the readings of its other consumers; this one does not.
      if ((resets ? /second/ : /second|60\.0 s after/).test(recorded.label)) {
        compared++
        compareRates(sample, expected, slackOf(recorded, cacheTimeMs))
      } else if (cacheTimeMs === 1000)
        assert.deepEqual([sample.cpu, sample.rootDisk?.activity === undefined || recorded.label.includes('third')], [undefined, true])
    }
    assert.ok(compared >= 1)
    assert.deepEqual(memory.logged, [])
  })
}

/** Compares the values that do not depend on the time between two readings. */
function compareSteady(sample: Sample, expected: Sample): void {
  assert.deepEqual(sample.memory, expected.memory)
  assert.deepEqual(sample.swap ?? { totalBytes: 0, usedBytes: 0 }, expected.swap ?? { totalBytes: 0, usedBytes: 0 })
  assert.deepEqual(sample.load, expected.load)
  assert.equal(sample.uptimeSeconds, expected.uptimeSeconds)
  const { totalBytes, usedBytes, usedPercent } = sample.rootDisk ?? {}
  assert.equal(totalBytes, expected.rootDisk?.totalBytes)
  // The recorded disk was in use: free blocks moved between the recording of statfs and of the sample.
  near(usedBytes, expected.rootDisk?.usedBytes, 'used bytes')
  near(usedPercent, expected.rootDisk?.usedPercent, 'used percent')
  assert.deepEqual(aboveZero(sample.temperatures), withoutGpus(expected))
  assert.equal(sample.dashboardCelsius, expected.dashboardCelsius)
  compareHardware(sample, expected)
  const { kernel: _own, ...facts } = sample.machine ?? {}
  const { kernel: _recorded, ...recordedFacts } = expected.machine ?? {}
  assert.deepEqual(facts, recordedFacts)
}

function compareHardware(sample: Sample, expected: Sample): void {
  const { nct6775_fan5: _cut, ...fans } = expected.fans ?? {}
  // The recorded agent keeps the low 16 bits of a fan speed of 70,000; this agent reports no speed.
  assert.deepEqual(sample.fans ?? {}, fans)
  assert.deepEqual([sample.battery, sample.batteries], [expected.battery, expected.batteries])
  compareExtraSizes(sample.extraDisks ?? {}, expected.extraDisks ?? {})
}

type Disks = Readonly<Record<string, DiskSample>>

/** The recorded agent computes the percentage after it rounds both sizes to hundredths of a GiB. */
function compareExtraSizes(own: Disks, expected: Disks): void {
  assert.deepEqual(Object.keys(own).toSorted(), Object.keys(expected).toSorted())
  for (const [name, { totalBytes, usedBytes, usedPercent }] of Object.entries(expected)) {
    assert.deepEqual([own[name]?.totalBytes, own[name]?.usedBytes], [totalBytes, usedBytes])
    near(own[name]?.usedPercent, usedPercent, `${name} used percent`)
  }
}

function compareRates(sample: Sample, expected: Sample, slack: number): void {
  assert.deepEqual(sample.cpu, expected.cpu)
  compareDisks(sample.rootDisk ?? {}, expected.rootDisk ?? {}, slack)
  compareExtraDisks(sample.extraDisks ?? {}, expected.extraDisks ?? {}, slack)
  compareSums(sample.network ?? {}, expected.network ?? {}, slack)
  compareInterfaces(sample.network?.interfaces ?? {}, expected.network?.interfaces ?? {}, slack)
}

function compareExtraDisks(own: Disks, expected: Disks, slack: number): void {
  for (const [name, disk] of Object.entries(expected)) compareDisks(own[name] ?? {}, disk, slack)
}

function compareDisks(own: DiskSample, expected: DiskSample, slack: number): void {
  near(own.readBytesPerSecond, expected.readBytesPerSecond, 'read', slack)
  near(own.writtenBytesPerSecond, expected.writtenBytesPerSecond, 'written', slack)
  const activity = new Map(Object.entries(own.activity ?? {}))
  for (const [name, value] of Object.entries(expected.activity ?? {})) {
    // The recorded agent sends 0 ms if no request finished; this agent sends nothing.
    if (name.endsWith('AwaitMs') && value === 0) assert.equal(activity.get(name), undefined)
    else near(activity.get(name), value, name, slack)
  }
}

/** The recorded agent has no sum after one interface's counters restarted; this agent adds that interface's new total. */
function compareSums(own: NetworkSample, expected: NetworkSample, slack: number): void {
  const interfaces = Object.values(expected.interfaces ?? {})
  const total = (of: (one: InterfaceSample) => number): number => interfaces.reduce((sum, one) => sum + of(one), 0)
  const { sentBytesPerSecond, receivedBytesPerSecond } = own
  near(sentBytesPerSecond, expected.sentBytesPerSecond ?? total((one) => one.sentBytesPerSecond), 'sent', slack)
  near(receivedBytesPerSecond, expected.receivedBytesPerSecond ?? total((one) => one.receivedBytesPerSecond), 'received', slack)
}

type Interfaces = Readonly<Record<string, InterfaceSample>>

function compareInterfaces(own: Interfaces, expected: Interfaces, slack: number): void {
  assert.deepEqual(Object.keys(own).toSorted(), Object.keys(expected).toSorted())
  for (const [name, one] of Object.entries(expected)) {
    const two = own[name]
    assert.ok(two !== undefined)
    assert.deepEqual([two.sentBytesTotal, two.receivedBytesTotal], [one.sentBytesTotal, one.receivedBytesTotal])
    near(two.sentBytesPerSecond, one.sentBytesPerSecond, `${name} sent`, slack)
    near(two.receivedBytesPerSecond, one.receivedBytesPerSecond, `${name} received`, slack)
  }
}

/** The recorded agent read the counters at some time between request and response, an error of more than 1 % of a short interval. */
const slackOf = ({ asked_at_ms, answered_at_ms }: RecordedSample, cacheTimeMs: number): number =>
  Math.max(0.01, (answered_at_ms - asked_at_ms) / Math.max(5000, cacheTimeMs))

/** Within the slack (default: 1 %), or within the error of rounding to whole units and hundredths. */
function near(actual: number | undefined, expected: number | undefined, what: string, slack = 0.01): void {
  assert.ok(actual !== undefined && expected !== undefined, `${what}: ${actual} instead of ${expected}`)
  assert.ok(Math.abs(actual - expected) <= Math.max(Math.abs(expected) * slack, 1.01), `${what}: ${actual} instead of ${expected}`)
}

/** The recorded agent omits temperatures of 0 °C and below; this agent sends them under a separate key. */
const aboveZero = (temperatures: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(temperatures).filter(([, celsius]) => celsius > 0))

function withoutGpus({ temperatures = {}, gpus = {} }: Sample): Readonly<Record<string, number>> {
  const names = new Set(Object.values(gpus).map(({ name }) => name))
  return Object.fromEntries(Object.entries(temperatures).filter(([name]) => !names.has(name)))
}
