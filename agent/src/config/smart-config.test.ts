import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { readConfig } from './config.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const read = (env: Readonly<Record<string, string>>) =>
  readConfig(memoryRuntime({ files: {}, bytes: byteTools, env: { KEY, ...env } }).runtime)
const collect = (env: Readonly<Record<string, string>>) => {
  const result = read(env)
  assert.ok(result.kind === 'run')
  return result.config.collect
}

test('readConfig reads the drives for health checks, and their interval', () => {
  assert.deepEqual(collect({}).diskHealth, { scan: true, devices: [], exclude: [] })
  assert.deepEqual(collect({ SMART_DEVICES: '' }).diskHealth, { scan: false, devices: [], exclude: [] })
  assert.deepEqual(collect({ SMART_DEVICES: '/dev/sda:sat, /dev/nvme0', EXCLUDE_SMART: 'sdb,/dev/sdc' }).diskHealth, {
    scan: true,
    devices: [
      { path: '/dev/sda', type: 'sat', isTypeGiven: true },
      { path: '/dev/nvme0', isTypeGiven: false },
    ],
    exclude: ['sdb', '/dev/sdc'],
  })
  const separated = collect({ SMART_DEVICES: '/dev/bus/0:megaraid,5|/dev/sdb', SMART_DEVICES_SEPARATOR: '|' }).diskHealth
  assert.deepEqual(
    separated.devices.map(({ type }) => type),
    ['megaraid,5', undefined],
  )
  assert.deepEqual([collect({}).diskHealthIntervalMs, collect({ SMART_INTERVAL: '90m' }).diskHealthIntervalMs], [undefined, 5_400_000])
})

test('readConfig refuses invalid drives', () => {
  const result = read({ SMART_DEVICES: '/dev/sda,sdb;id', SMART_INTERVAL: 'daily' })
  assert.ok(result.kind === 'refused')
  assert.deepEqual(result.problems, [
    'SMART_DEVICES: "sdb;id" is not /dev/… or /dev/…:type',
    'SMART_INTERVAL: "daily" is not a duration such as 2.1s',
  ])
})
