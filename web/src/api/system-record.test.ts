import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toInfoJson } from '@vedette/protocol/wire/info-json'
import { ANNOUNCED_VERSION, VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { readSystem } from './system-record.ts'

const at = 1_800_000_000_000
const info = toInfoJson(
  {
    uptimeSeconds: 93_600,
    cpu: { busyPercent: 33.2 },
    memory: { totalBytes: 16e9, usedBytes: 9.84e9, usedPercent: 61.5 },
    rootDisk: { usedPercent: 55 },
    network: { sentBytesPerSecond: 1000, receivedBytesPerSecond: 500 },
    load: { oneMinute: 1.88, fiveMinutes: 1.71, fifteenMinutes: 1.6 },
    agentVersion: ANNOUNCED_VERSION,
  },
  { cpuModel: 'AMD EPYC 7443P', cores: 4, threads: 8 },
  at,
)

test('§3 systems: readSystem reads what the hub wrote of the last sample', () => {
  const record = {
    id: 'abcdefghijklmno',
    name: 'atlas',
    host: '10.0.4.2',
    port: '45876',
    status: 'up',
    users: ['u1'],
    created: '2026-11-20 08:00:00.000Z',
    info,
  }
  assert.deepEqual(readSystem(record), {
    id: 'abcdefghijklmno',
    name: 'atlas',
    host: '10.0.4.2',
    port: '45876',
    status: 'up',
    userIds: ['u1'],
    tags: [],
    createdMs: Date.UTC(2026, 10, 20, 8),
    latest: {
      uptimeSeconds: 93_600,
      os: undefined,
      cpuModel: 'AMD EPYC 7443P',
      cores: 4,
      threads: 8,
      cpuPercent: 33.2,
      memoryPercent: 61.5,
      diskPercent: 55,
      networkBytesPerSecond: 1500,
      temperatureCelsius: undefined,
      loads: [1.88, 1.71, 1.6],
      agentVersion: VEDETTE_VERSION,
      sampledAtMs: at,
      oldSeconds: undefined,
      remark: undefined,
    },
    hasOwnAgent: true,
  })
})

test('readSystem uses the time of the record when the hub sends no sample time', () => {
  const { latest } = readSystem({ id: 'a', status: 'up', updated: '2026-11-21 09:30:00.000Z', info: { cpu: 1, v: '0.9.0' } })
  assert.equal(latest.sampledAtMs, Date.UTC(2026, 10, 21, 9, 30))
})

test('readSystem of a system that never responded has unknown values, not 0', () => {
  const { latest, status } = readSystem({ id: 'a', updated: '2026-11-21 09:30:00.000Z', info: null })
  assert.equal(status, 'pending')
  assert.equal(latest.cpuPercent, undefined)
  assert.equal(latest.sampledAtMs, undefined)
})
