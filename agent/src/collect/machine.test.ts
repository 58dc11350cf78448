import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { machineCollector, readCores, readMachineFacts, threadsOf, type EngineFacts, type MachineSetting } from './machine.ts'
import { cpuModelOf } from '../text/cpu-model.ts'

const sourceOf = (files: Readonly<Record<string, string>>) =>
  procSource(memoryRuntime({ files, bytes: byteTools }).runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })

const on = (architecture: string): MachineSetting => ({
  architecture,
  surroundings: { container: undefined, isGuest: false, virtualised: new Set() },
})

for (const [name, cpuInfo, expected] of [
  ['x86', 'processor\t: 0\nmodel name\t: AMD EPYC 7763\n', 'AMD EPYC 7763'],
  ['an ARM core by its part', 'processor\t: 0\nCPU part\t: 0xD0B\n', 'Cortex-A76'],
  ['an unknown ARM core', 'CPU part\t: 0xfff\n', undefined],
  ['an ARM core of another maker', 'CPU implementer\t: 0xc0\nCPU part\t: 0xac3\n', 'Ampere-1'],
  ['POWER', 'processor\t: 0\ncpu\t\t: POWER9, altivec supported\n', 'POWER9, altivec supported'],
  ['RISC-V', 'hart\t: 1\nisa\t: rv64imafdc\nuarch\t: sifive,u74-mc\n', 'sifive,u74-mc'],
  ['MIPS', 'system type\t: MT7621\ncpu model\t: MIPS 1004Kc\n', 'MIPS 1004Kc / MT7621'],
  ['nothing', '', undefined],
] as const) {
  test(`cpuModelOf: ${name}`, () => assert.equal(cpuModelOf(cpuInfo), expected))
}

test('threadsOf counts processor lines', () => {
  assert.equal(threadsOf('processor\t: 0\nprocessor : 1\nmodel name: processor\n'), 2)
})

test('threadsOf reads the numbered processor lines of s390', () => {
  assert.equal(threadsOf('vendor_id : IBM/S390\n# processors : 2\nprocessor 0: version = FF\nprocessor 1: version = FF\n'), 2)
})

test('readCores counts siblings as one core, and returns nothing without a topology', () => {
  const topology = (cpu: number) => `/sys/devices/system/cpu/cpu${cpu}/topology`
  const files = {
    [`${topology(0)}/core_cpus_list`]: '0-1',
    [`${topology(1)}/core_cpus_list`]: '0-1',
    [`${topology(2)}/thread_siblings_list`]: '2',
  }
  assert.equal(readCores(sourceOf({ ...files, '/sys/devices/system/cpu/cpufreq/x': '' })), 2)
  assert.equal(readCores(sourceOf({})), undefined)
})

const files = {
  '/proc/cpuinfo': 'processor: 0\nphysical id: 0\ncpu cores: 4\nprocessor: 1\nphysical id: 1\ncpu cores: 4\n',
  '/proc/sys/kernel/hostname': 'attic\n',
  '/proc/sys/kernel/osrelease': '6.1.0\n',
  '/proc/meminfo': 'MemTotal: 1024 kB\n',
  '/etc/os-release': 'NAME="Debian"\nPRETTY_NAME="Debian 12"\n',
}

test('readMachineFacts reads the facts from the files, with no more cores than threads', () => {
  assert.deepEqual(readMachineFacts(sourceOf(files), on('x86_64'), undefined), {
    hostname: 'attic',
    kernel: '6.1.0',
    cores: 2,
    threads: 2,
    os: 'linux',
    osName: 'Debian 12',
    architecture: 'x86_64',
    totalMemoryBytes: 1_048_576,
  })
})

test("readMachineFacts in a container prefers the engine's facts about the machine", () => {
  const engine: EngineFacts = { kernel: '6.6.0', osName: 'Fedora', threads: 16, totalMemoryBytes: 5, podman: true }
  const { hostname, cores, ...facts } = readMachineFacts(sourceOf(files), on('x86_64'), engine)
  assert.deepEqual(facts, { ...engine, os: 'linux', architecture: 'x86_64' })
  assert.deepEqual([hostname, cores], ['attic', 8])
})

test('readMachineFacts of a machine without any file returns only the facts that were passed in', () => {
  assert.deepEqual(readMachineFacts(sourceOf({}), on('aarch64'), undefined), { os: 'linux', architecture: 'aarch64' })
})

test('machineCollector queries the engine every ten seconds until the first response', async () => {
  const answers: (EngineFacts | undefined)[] = [undefined, { threads: 8 }, { threads: 99 }]
  const collector = machineCollector(sourceOf(files), on('x86_64'), async () => answers.shift())
  const threads = async (atMs: number) => (await collector.collect({ atMs, consumer: 0 }))?.threads
  assert.deepEqual([await threads(0), await threads(9999), await threads(10_000), await threads(20_000)], [2, 2, 8, 8])
})
