import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { anyName } from '../../../../protocol/test/hostile-names.ts'
import { exposedContainerSeries, exposedSystemSeries } from './exposed-series.ts'

const shown = (key: string): string | undefined => {
  const found = exposedSystemSeries(key)
  return found && `${found.family} ${found.labels.map(([name, value]) => `${name}=${value}`).join(',')} ${found.factor}`
}

for (const [key, expected] of [
  ['cpu.busyPercent', 'vedette_system_cpu_ratio  0.01'],
  ['cpu.iowaitPercent', 'vedette_system_cpu_mode_ratio mode=iowait 0.01'],
  ['disk.usedBytes', 'vedette_system_filesystem_used_bytes filesystem=root 1'],
  ['filesystem.data.v2.readAwaitMs', 'vedette_system_disk_read_await_seconds filesystem=data.v2 0.001'],
  ['network.sentBytesPerSecond', 'vedette_system_network_sent_bytes_per_second  1'],
  ['network.eth0.100.sentBytesTotal', 'vedette_system_interface_sent_bytes interface=eth0.100 1'],
  ['temperature.coretemp.celsius', 'vedette_system_temperature_celsius sensor=coretemp 1'],
  ['pressure.io.fullPercent', 'vedette_system_pressure_ratio resource=io,share=full 0.01'],
  ['battery.chargePercent', 'vedette_system_battery_charge_ratio battery=system 0.01'],
  ['battery.BAT1.chargePercent', 'vedette_system_battery_charge_ratio battery=BAT1 0.01'],
  ['gpu.0.memoryUsedMegabytes', 'vedette_system_gpu_memory_used_bytes gpu=0 1048576'],
  ['gpu.0.engine.Render/3D.usagePercent', undefined],
  ['cpu.core.3.busyPercent', undefined],
  ['drive.sda.wearPercent', undefined],
  ['cpu.constructor', undefined],
  ['constructor.busyPercent', undefined],
  ['', undefined],
] as const)
  test(`exposedSystemSeries of ${JSON.stringify(key)} is ${expected ?? 'none'}`, () => {
    assert.equal(shown(key), expected)
  })

test('exposedSystemSeries and exposedContainerSeries accept any name', () => {
  const names = fc.oneof(anyName, fc.string({ unit: anyCharacter }))
  fc.assert(
    fc.property(names, names, (name, field) => {
      assert.deepEqual(exposedContainerSeries(`${name}.memoryBytes`)?.labels, [['container', name]])
      assert.deepEqual(exposedSystemSeries(`filesystem.${name}.usedBytes`)?.labels, [['filesystem', name]])
      exposedSystemSeries(`${name}.${field}`)
    }),
  )
})
