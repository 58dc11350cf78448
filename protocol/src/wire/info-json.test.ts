import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson, inheritedName } from '../../test/hostile-names.ts'
import { sampleArbitrary } from '../../test/sample-arbitrary.ts'
import type { AgedFamily, Sample } from '../metrics/sample.ts'
import { agedFamilies } from './keys.ts'
import { readInfoJson, toInfoJson, type InfoJson, type SystemInfo } from './info-json.ts'

const nothing: SystemInfo = {
  uptimeSeconds: undefined,
  os: undefined,
  cpuModel: undefined,
  cores: undefined,
  threads: undefined,
  cpuPercent: undefined,
  memoryPercent: undefined,
  diskPercent: undefined,
  networkBytesPerSecond: undefined,
  temperatureCelsius: undefined,
  loads: undefined,
  agentVersion: undefined,
  sampledAtMs: undefined,
  oldSeconds: undefined,
  remark: undefined,
}

/** An unknown text is an empty text. */
const text = (value: string | undefined) => (value === '' ? undefined : value)

const oldSeconds = (family: AgedFamily, ageMs: number | undefined): [AgedFamily, number][] =>
  ageMs === undefined ? [] : [[family, Math.round(ageMs / 1000)]]

test('readInfoJson and toInfoJson round-trip the list values of any sample', () => {
  fc.assert(
    fc.property(sampleArbitrary, fc.nat(), (sample, atMs) => {
      const { machine = {}, load, network } = sample
      assert.deepEqual(readInfoJson(JSON.parse(JSON.stringify(toInfoJson(sample, machine, atMs)))), {
        uptimeSeconds: sample.uptimeSeconds,
        os: machine.os,
        cpuModel: text(machine.cpuModel),
        cores: machine.cores,
        threads: machine.threads,
        cpuPercent: sample.cpu?.busyPercent,
        memoryPercent: sample.memory?.usedPercent,
        diskPercent: sample.rootDisk?.usedPercent,
        networkBytesPerSecond: network && (network.sentBytesPerSecond ?? 0) + (network.receivedBytesPerSecond ?? 0),
        temperatureCelsius: sample.dashboardCelsius,
        loads: load && [load.oneMinute, load.fiveMinutes, load.fifteenMinutes],
        agentVersion: sample.agentVersion,
        sampledAtMs: atMs,
        oldSeconds: sample.ages && new Map(agedFamilies.flatMap((family) => oldSeconds(family, sample.ages?.[family]))),
        remark: undefined,
      })
    }),
  )
})

const rates = (sentBytesPerSecond?: number, receivedBytesPerSecond?: number) => ({
  network: {
    ...(sentBytesPerSecond !== undefined && { sentBytesPerSecond }),
    ...(receivedBytesPerSecond !== undefined && { receivedBytesPerSecond }),
  },
})

for (const [what, sample, info] of [
  ['all services and the failed ones', { serviceCounts: { total: 120, failed: 3 } }, { sv: [120, 3] }],
  [
    'the highest usage of all GPUs',
    { gpus: { a: { name: 'A', usagePercent: 12.345 }, b: { name: 'B', usagePercent: 7 }, c: { name: 'C' } } },
    { g: 12.35 },
  ],
  ['no GPU usage if no GPU reports it', { gpus: { c: { name: 'C' } } }, {}],
  ['usage of the further disks that report it', { extraDisks: { data: { usedPercent: 12.345 }, backup: {} } }, { efs: { data: 12.35 } }],
  ['bandwidth in MiB/s and in bytes/s', rates(1_048_576, 524_288), { b: 1.5, bb: 1_572_864 }],
  ['no bandwidth when the received bytes are unknown', rates(1), {}],
  ['no bandwidth when the sent bytes are unknown', rates(undefined, 1), {}],
] satisfies (readonly [string, Sample, InfoJson])[]) {
  test(`toInfoJson stores ${what}`, () => assert.deepEqual(toInfoJson(sample, {}, 5), { ...info, at: 5 }))
}

test('readInfoJson ignores the zeros of a system that never responded or is paused', () => {
  const empty = { u: 0, cpu: 0, mp: 0, dp: 0, v: '', bb: 0, la: [0, 0, 0] }
  assert.deepEqual(readInfoJson(empty), nothing)
  assert.deepEqual(readInfoJson({ ...empty, why: 'Connection refused' }), { ...nothing, remark: 'Connection refused' })
})

test('readInfoJson reads the zeros of an idle system that has responded as values', () => {
  const { cpuPercent, loads } = readInfoJson({ cpu: 0, la: [0, 0, 0], v: '0.18.8' })
  assert.deepEqual([cpuPercent, loads], [0, [0, 0, 0]])
})

test('readInfoJson reads the bandwidth of agents that send only MiB/s', () => {
  assert.equal(readInfoJson({ b: 1.5, v: '0.9.0' }).networkBytesPerSecond, 1_572_864)
})

test('readInfoJson drops all loads when one is missing, so that no load takes the position of another', () => {
  for (const la of [[1, null, 3], [], 'busy']) assert.equal(readInfoJson({ la, v: '0.18.8' }).loads, undefined)
})

test('readInfoJson reads the ages of old readings, for known families only', () => {
  const old = { memory: 60, cpu: 'long', other: 5, constructor: 5 }
  assert.deepEqual(readInfoJson({ v: '0.18.8', old }).oldSeconds, new Map([['memory', 60]]))
})

test('readInfoJson never throws, and returns numbers and texts only', () => {
  const keys = fc.constantFrom('u', 'm', 'c', 't', 'cpu', 'mp', 'dp', 'b', 'bb', 'v', 'la', 'dt', 'at', 'old', 'why')
  fc.assert(
    fc.property(fc.oneof(fc.anything(), anyJson, fc.dictionary(fc.oneof(keys, inheritedName), anyJson)), (info) => {
      for (const [name, value] of Object.entries(readInfoJson(info))) {
        const isOfItsKind =
          value === undefined ||
          (value instanceof Map && [...value.values()].every(Number.isFinite)) ||
          (name === 'loads' ? Array.isArray(value) && value.every(Number.isFinite) : Number.isFinite(value) || typeof value === 'string')
        assert.ok(isOfItsKind, `${name}: ${String(value)}`)
      }
    }),
  )
})
