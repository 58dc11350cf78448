import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { isCborMap, type CborValue } from '@vedette/protocol/cbor/value'
import type { GpuSample, Sample } from '@vedette/protocol/metrics/sample'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { readRecording } from '../../../../protocol/test/recorded.ts'
import { createCommands } from '../../runtime/command.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime, type MemoryProgram } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import { listedName } from './amd.ts'
import { presentMakers } from './gpu-devices.ts'
import { gpusCollector } from './gpus.ts'
import type { GpuMaker } from './gpu-source.ts'
import { gpuName, parseNvidiaLine } from './nvidia-line.ts'

type Files = Readonly<Record<string, string>>
const ALL: readonly GpuMaker[] = ['nvidia', 'amd', 'intel']

async function machine(files: Files, primarySensor?: string) {
  const programs: MemoryProgram[] = []
  const memory = memoryRuntime({ files, bytes: byteTools, run: (program) => programs.push(program) })
  const loop = createLoop(memory.runtime)
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const collector = await gpusCollector(
    { source, loop, commands: () => createCommands(memory.runtime, loop) },
    { makers: ALL, primarySensor },
  )
  return {
    ...memory,
    programs,
    collector,
    source,
    look: async (consumer = 1000): Promise<Pick<Sample, 'gpus' | 'temperatures' | 'dashboardCelsius' | 'ages'> | undefined> =>
      collector.collect({ consumer, atMs: memory.runtime.clock().monotonicMs }),
    write: async (text: string) => {
      programs.at(-1)?.tell({ kind: 'piece', data: byteTools.utf8(text) })
      await setImmediate()
    },
  }
}

const recordedCsv = readFileSync(new URL('../../../../protocol/vectors/agent/machine-2/tools/nvidia-smi.csv', import.meta.url), 'utf8')

/** Constructed from the kernel's documentation of sysfs: a PCI display controller of a maker. */
const pci = (vendor: string, power: { readonly status: string; readonly control?: string } = { status: 'active' }): Files => ({
  '/sys/bus/pci/devices/0000:01:00.0/vendor': `${vendor}\n`,
  '/sys/bus/pci/devices/0000:01:00.0/class': '0x030000\n',
  '/sys/bus/pci/devices/0000:01:00.0/power/runtime_status': `${power.status}\n`,
  '/sys/bus/pci/devices/0000:01:00.0/power/control': `${power.control ?? 'on'}\n`,
})
const NVIDIA = pci('0x10de')

test('gpusCollector computes from a recorded nvidia-smi the values that the recorded agent sent', async () => {
  const one = await machine(NVIDIA)
  assert.equal(await one.look(), undefined)
  await one.write(recordedCsv)
  const own = await one.look()
  const { samples } = readRecording<{
    samples: readonly {
      decoded: { '1': { '0': { '20': Record<string, number>; '22': Record<string, Record<string, number | string>> } } }
    }[]
  }>('agent/machine-2/expected-head.json')
  const stats = samples[0]?.decoded['1']['0']
  assert.ok(own?.gpus !== undefined && stats !== undefined)
  const sent = encodeDocument(own).get(0)
  assert.ok(isCborMap(sent))
  const gpus = sent.get(22)
  assert.ok(isCborMap(gpus))
  for (const [id, expected] of Object.entries(stats['22'])) {
    const gpu: GpuSample = own.gpus[id] ?? { name: '' }
    const map: CborValue | undefined = gpus.get(id)
    assert.ok(isCborMap(map))
    assert.deepEqual(Object.fromEntries([...map].filter(([key]) => Number(key) < 100)), expected)
    assert.equal(own.temperatures?.[gpu.name], stats['20'][gpu.name])
  }
  // The tool reports 4096 MiB and 40960 MiB; the recorded agent sent 2.4 % less.
  assert.deepEqual(
    Object.values(own.gpus).map(({ memoryTotalMegabytes }) => memoryTotalMegabytes),
    [4096, 40_960],
  )
  assert.deepEqual(one.programs[0]?.argv.slice(0, 3), [
    'nvidia-smi',
    '--query-gpu=index,name,temperature.gpu,memory.used,memory.total,utilization.gpu,power.draw',
    '--format=csv,noheader,nounits',
  ])
})

for (const [line, expected] of [
  [
    '0, Tesla, 30, 1, 1024, [N/A], [Not Supported]',
    { id: '0', name: 'Tesla', celsius: 30, memoryUsedMegabytes: 1, memoryTotalMegabytes: 1024 },
  ],
  ['1, NVIDIA A, B, [N/A], [N/A], [N/A], 5, 7.5', { id: '1', name: 'A, B', usagePercent: 5, powerWatts: 7.5 }],
  ['2, X, 0, 1, 2, 101, -5', { id: '2', name: 'X', memoryUsedMegabytes: 1, memoryTotalMegabytes: 2 }],
  ['No devices were found', undefined],
  ['', undefined],
  ['x, NVIDIA, 1, 2, 3, 4, 5', undefined],
] as const) {
  test(`parseNvidiaLine reads ${JSON.stringify(line)}`, () => assert.deepEqual(parseNvidiaLine(line), expected))
}

test("bug class 6: gpusCollector reports to each consumer the mean since the consumer's own last sample", async () => {
  const one = await machine(NVIDIA)
  const look = async (consumer: number) => (await one.look(consumer))?.gpus?.['0'] ?? { name: '' }
  await look(60_000)
  await one.write('0, A, 50, 1, 2, 10, 100\n')
  assert.equal((await look(1000)).usagePercent, 10)
  await one.write('0, A, 51, 1, 2, 30, 200\n')
  assert.equal((await look(1000)).usagePercent, 30)
  await one.write('0, A, 52, 1, 2, 80, 300\n')
  const minute = await look(60_000)
  assert.deepEqual([minute.usagePercent, minute.powerWatts], [40, 200])
  assert.equal((await look(60_000)).usagePercent, 40)
})

test('gpusCollector marks the last values of a tool that hangs as old, and drops them after 150 s', async () => {
  const one = await machine(NVIDIA)
  const look = async (afterMs: number) => {
    one.advance(afterMs)
    return one.look(60_000)
  }
  await look(0)
  await one.write('0, A, 50, 1, 2, 10, 100\n')
  assert.equal((await look(1000))?.ages, undefined)
  assert.equal((await look(10_000))?.ages, undefined)
  const old = await look(1)
  assert.deepEqual([old?.gpus?.['0']?.usagePercent, old?.ages], [10, { gpus: 10_001 }])
  assert.deepEqual(await look(140_000), { gpus: { '0': { name: 'A' } } })
  await one.write('0, A, 51, 1, 2, 20, 100\n')
  const again = await look(1000)
  assert.deepEqual([again?.gpus?.['0']?.usagePercent, again?.ages], [20, undefined])
})

test('gpusCollector distinguishes GPUs of the same name, and lets one of them stand for the machine', async () => {
  const one = await machine(NVIDIA, 'A 1')
  await one.look()
  await one.write('0, A, 50, 1, 2, 10, 100\n1, A, 60, 1, 2, 10, 100\n2, B, 70, 1, 2, 10, 100\n')
  const families = await one.look()
  assert.deepEqual(families?.temperatures, { 'A 0': 50, 'A 1': 60, B: 70 })
  assert.equal(families?.dashboardCelsius, 60)
})

test('gpusCollector does not wake a sleeping NVIDIA GPU, and starts nvidia-smi once the GPU is awake', async () => {
  const one = await machine(pci('0x10de', { status: 'suspended', control: 'auto' }))
  await one.look()
  assert.equal(one.programs.length, 0)
  assert.match(one.collector.report?.().skipped?.[0]?.why ?? '', /sleep/)
  one.replaceFiles(pci('0x10de', { status: 'active', control: 'auto' }))
  await one.look()
  assert.equal(one.programs.length, 1)
})

test("gpusCollector stops nvidia-smi after a GPU that may sleep was idle for five minutes, and keeps only the GPU's name", async () => {
  const one = await machine(pci('0x10de', { status: 'active', control: 'auto' }))
  await one.look()
  await one.write('0, A, 50, 1, 2, 7, 100\n')
  for (let reading = 0; reading < 75; reading++) await one.write('0, A, 50, 1, 2, 0, 5\n')
  const idle = await one.look()
  assert.equal(one.programs[0]?.isKilled(), true)
  assert.deepEqual(idle?.gpus?.['0']?.memoryUsedMegabytes, undefined)
  assert.equal(idle?.temperatures, undefined)
  one.replaceFiles(pci('0x10de', { status: 'suspended', control: 'auto' }))
  for (let minute = 0; minute < 10; minute++) {
    one.advance(60_000)
    assert.equal((await one.look())?.gpus?.['0']?.name, 'A')
  }
  assert.equal(one.programs.length, 1)
  one.replaceFiles(pci('0x10de', { status: 'active', control: 'auto' }))
  await one.look()
  assert.equal(one.programs.length, 2)
})

test('gpusCollector explains an empty result when the tool is missing', async () => {
  const one = await machine(NVIDIA)
  await one.look()
  one.programs[0]?.tell({ kind: 'failed', reason: '"nvidia-smi" is not installed' })
  await setImmediate()
  const report = one.collector.report?.()
  assert.deepEqual(report?.skipped, [{ what: 'NVIDIA GPUs', why: '"nvidia-smi" is not installed' }])
  assert.match(report?.remedy ?? '', /nvidia-smi/)
})

/** Constructed from kernel Documentation/gpu/amdgpu. */
const amd = (busy: number, status = 'active'): Files => ({
  '/sys/class/drm/card1/device/vendor': '0x1002\n',
  '/sys/class/drm/card1/device/device': '0x73bf\n',
  '/sys/class/drm/card1/device/revision': '0xc1\n',
  '/sys/class/drm/card1/device/power/runtime_status': `${status}\n`,
  '/sys/class/drm/card1/device/gpu_busy_percent': `${busy}\n`,
  '/sys/class/drm/card1/device/mem_info_vram_used': '1073741824\n',
  '/sys/class/drm/card1/device/mem_info_vram_total': '17179869184\n',
  '/sys/class/drm/card1/device/mem_info_gtt_used': '104857600\n',
  '/sys/class/drm/card1/device/mem_info_gtt_total': '1073741824\n',
  '/sys/class/drm/card1/device/hwmon/hwmon3/temp1_input': '47000\n',
  '/sys/class/drm/card1/device/hwmon/hwmon3/power1_average': '30500000\n',
  '/sys/class/drm/card1-DP-1/status': 'connected\n',
  '/usr/share/libdrm/amdgpu.ids': '# names\n1.0.0\n73BF,\tC0,\tAMD Radeon RX 6900 XTX\n73BF,\tC1,\tAMD Radeon RX 6800 XT\n',
})

test('gpusCollector reads AMD GPUs every three seconds and reports their mean', async () => {
  const one = await machine(amd(10))
  await one.look()
  one.replaceFiles(amd(40))
  one.advance(3000)
  one.replaceFiles(amd(70))
  one.advance(3000)
  const families = await one.look()
  assert.deepEqual(families, {
    gpus: {
      card1: {
        name: 'AMD Radeon RX 6800 XT',
        usagePercent: 55,
        powerWatts: 30.5,
        memoryUsedMegabytes: 1024,
        memoryTotalMegabytes: 16_384,
        sharedMemoryUsedMegabytes: 100,
        sharedMemoryTotalMegabytes: 1024,
      },
    },
    temperatures: { 'AMD Radeon RX 6800 XT': 47 },
  })
})

test('gpusCollector reads only the power state of an AMD GPU that sleeps', async () => {
  const files = amd(10, 'suspended')
  const one = await machine(files)
  assert.deepEqual(await one.look(), { gpus: { card1: { name: 'AMD Radeon RX 6800 XT' } } })
  assert.deepEqual(one.collector.report?.().skipped, [{ what: 'card1', why: 'it sleeps, and reading would wake it' }])
})

test('listedName finds a name by device and revision, or returns nothing', () => {
  assert.equal(listedName(amd(0)['/usr/share/libdrm/amdgpu.ids'] ?? '', '73BF', 'C0'), 'AMD Radeon RX 6900 XTX')
  assert.equal(listedName('', '73BF', 'C0'), undefined)
})

/** Constructed from kernel Documentation/ABI/testing/sysfs-driver-intel-xe-hwmon. */
const intel = (card: string, whole: string): Files => ({
  '/sys/class/drm/card0/device/vendor': '0x8086\n',
  '/sys/class/drm/card0/device/hwmon/hwmon2/energy1_input': `${card}\n`,
  '/sys/class/drm/card0/device/hwmon/hwmon2/energy2_input': `${whole}\n`,
  '/sys/class/drm/card0/device/hwmon/hwmon2/temp2_input': '51000\n',
})

test('gpusCollector converts the energy of an Intel GPU into watts per consumer, and drops a counter that went back', async () => {
  const one = await machine(intel('1000000', '5000000'))
  assert.deepEqual(await one.look(), { gpus: { card0: { name: 'Intel GPU' } }, temperatures: { 'Intel GPU': 51 } })
  one.advance(2000)
  one.replaceFiles(intel('21000000', '45000000'))
  assert.deepEqual((await one.look())?.gpus?.['card0'], { name: 'Intel GPU', powerWatts: 10, packagePowerWatts: 20 })
  one.advance(2000)
  one.replaceFiles(intel('5', 'broken'))
  assert.deepEqual((await one.look())?.gpus?.['card0'], { name: 'Intel GPU' })
})

test('presentMakers returns the makers that are both allowed and present', async () => {
  const { source } = await machine({ ...NVIDIA, ...amd(1) })
  assert.deepEqual(presentMakers(source, ALL), ['nvidia', 'amd'])
  assert.deepEqual(presentMakers(source, ['intel', 'amd']), ['amd'])
  const container = await machine({ '/usr/bin/nvidia-smi': '' })
  assert.deepEqual(presentMakers(container.source, ALL), ['nvidia'])
  const bare = await machine({})
  assert.deepEqual(presentMakers(bare.source, ALL), [])
  assert.equal(await bare.look(), undefined)
})

test('gpuName removes the words that all names share, and is never empty', () => {
  assert.deepEqual(['NVIDIA GeForce RTX 3050 Laptop GPU', 'NVIDIA A100', ' '].map(gpuName), ['GeForce RTX 3050', 'A100', 'GPU'])
})
