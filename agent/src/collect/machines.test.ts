import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { nodeUtf8 } from '../../../protocol/test/node-utf8.ts'
import { readConfig } from '../config/config.ts'
import { createLoop } from '../runtime/deadline.ts'
import { readMachine, type MachineFixture } from '../fixtures/machine.ts'
import { logTo } from '../runtime/log.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { collectors } from './collectors.ts'
import { runner, type SamplePart } from './run-all.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const GIB = 2 ** 30

/** Runs all collectors over a machine twice, five seconds apart. */
async function measure({ files, later, filesystems, environment, arch }: MachineFixture) {
  const memory = memoryRuntime({ files, filesystems, arch, env: { KEY, ...environment }, bytes: byteTools })
  const config = readConfig(memory.runtime)
  assert.ok(config.kind === 'run', JSON.stringify(config))
  const loop = createLoop(memory.runtime)
  const all = collectors(memory.runtime, loop, config.config.collect)
  const { run, findings } = runner(all, loop, logTo(memory.runtime, 'debug'), memory.runtime.clock)
  await run({ atMs: 0, consumer: 1000 })
  memory.advance(5000)
  memory.replaceFiles({ ...files, ...later })
  return { sample: await run({ atMs: 5000, consumer: 1000 }), findings: findings(), logged: memory.logged }
}

type Expected = {
  readonly machine: string
  /** The part of the sample that only this machine has. */
  readonly sample: SamplePart
  /** Only the names. */
  readonly extraDisks: readonly string[]
  readonly interfaces: readonly string[]
  readonly temperatures: readonly string[]
  /** Findings in the output of `doctor`, by collector. */
  readonly found: Readonly<Record<string, string>>
  readonly skipped: Readonly<Record<string, string>>
}

const SERVER_OR_PROGRAM = 'on a server or behind a program, which may hang: name it in EXTRA_FILESYSTEMS'

const table: readonly Expected[] = [
  {
    machine: 'debian-vm',
    sample: {
      memory: { totalBytes: 25_276_514_304, usedBytes: 1_276_485_632, usedPercent: 5.050085690802693 },
      rootDisk: {
        totalBytes: 252 * GIB,
        usedBytes: 13 * GIB,
        inodesTotal: 16_777_216,
        inodesUsed: 400_000,
        readBytesPerSecond: 6_870_630.4,
      },
      pressure: { cpu: { somePercent: 10 }, memory: { somePercent: 0, fullPercent: 0 }, io: { somePercent: 0, fullPercent: 0 } },
      machine: { osName: 'Debian GNU/Linux 12 (bookworm)', threads: 2, cores: 2 },
    },
    extraDisks: [],
    interfaces: ['eth0'],
    temperatures: [],
    found: { 'disk usage': '/ (mounted at /)', 'disk I/O': 'vda (mounted at /)', machine: 'a machine of its own' },
    skipped: { veth3e80fa7: 'only passes on what others carry' },
  },
  {
    machine: 'debian-vm-in-docker',
    sample: {
      // The limit of 64 MiB is the agent's own.
      memory: { totalBytes: 25_276_514_304, usedBytes: 1_276_485_632, usedPercent: 5.050085690802693 },
      rootDisk: { totalBytes: 252 * GIB, readBytesPerSecond: 6_870_630.4 },
      machine: { container: 'docker' },
    },
    extraDisks: [],
    interfaces: ['eth0'],
    temperatures: [],
    found: {
      memory: '/proc/meminfo',
      'disk I/O': 'vda (/etc/resolv.conf of the container lies on it)',
      machine: 'the machine around a container (docker)',
    },
    skipped: { '/': 'layers of another filesystem' },
  },
  {
    machine: 'debian-vm-in-docker-with-root',
    sample: {
      rootDisk: { totalBytes: 252 * GIB, readBytesPerSecond: 6_870_630.4 },
      // 5 GiB are reserved for root: 40 of the other 95 GiB are used.
      extraDisks: { vdb: { totalBytes: 100 * GIB, usedBytes: 40 * GIB, usedPercent: (40 / 95) * 100, readBytesPerSecond: 2_048_000 } },
      machine: { container: 'docker', osName: 'Debian GNU/Linux 12 (bookworm)' },
    },
    extraDisks: ['vdb'],
    interfaces: ['eth0'],
    temperatures: [],
    found: { 'disk usage': "/host (the machine's root is mounted at /host)", 'extra filesystems': 'vdb (/host/srv)' },
    skipped: {},
  },
  {
    machine: 'lxc-guest',
    sample: {
      memory: { totalBytes: GIB, usedBytes: GIB / 4, usedPercent: 25, cacheBytes: GIB / 2 },
      rootDisk: { totalBytes: 8 * GIB, usedBytes: 2 * GIB, usedPercent: 25 },
      pressure: { cpu: { somePercent: 10, fullPercent: 2 } },
      machine: { container: 'lxc', hostScoped: ['load', 'temperatures'], totalMemoryBytes: GIB, threads: 2, cores: 2 },
    },
    extraDisks: ['rpool/data/subvol-100-disk-1'],
    interfaces: ['eth0'],
    temperatures: ['k10temp_tctl'],
    found: { memory: '/proc/meminfo, as lxcfs tells it for this guest', machine: 'a guest (lxc)' },
    skipped: { 'disk I/O': 'no block device of its own: no disk I/O', 'own load': 'the surrounding machine answers for this guest' },
  },
  {
    machine: 'raspberry-pi',
    sample: {
      rootDisk: { totalBytes: 29 * GIB, readBytesPerSecond: 2 * 2 ** 20 },
      fans: { pwmfan_fan1: 3021 },
      dashboardCelsius: 52.123,
      machine: { cpuModel: 'Cortex-A76', architecture: 'aarch64', threads: 4 },
    },
    extraDisks: ['sda1'],
    interfaces: ['wlan0'],
    temperatures: ['cpu_thermal', 'rp1_adc'],
    found: { 'disk I/O': 'mmcblk0p2 (mounted at /)' },
    skipped: {
      '/boot/firmware': 'small system partition',
      eth0: 'has not both sent and received yet',
      pressure: 'the kernel tells none',
    },
  },
  {
    machine: 'nvme-server-with-raid-and-zfs',
    sample: {
      memory: { totalBytes: 135_053_312_000, usedBytes: 25_373_835_264, usedPercent: 18.788014072546403, zfsArcBytes: 64 * GIB },
      rootDisk: { totalBytes: 880 * GIB, readBytesPerSecond: 102_400_000 },
      network: { sentBytesPerSecond: 200_000, receivedBytesPerSecond: 1_000_000 },
      pressure: { cpu: { somePercent: 10 }, memory: { somePercent: 10, fullPercent: 5 } },
    },
    extraDisks: ['tank', 'tank/vm', 'tank/backup'],
    interfaces: ['eno1', 'eno2'],
    temperatures: ['nvme_composite', 'nvme_composite_1', 'k10temp_tctl'],
    found: { 'disk I/O': 'md127 (mounted at /)' },
    skipped: {
      '/mnt/nas': SERVER_OR_PROGRAM,
      vmbr0: 'a bridge: its traffic is counted where it leaves the machine',
      lan: 'a bond: its members are counted',
      tap100i0: 'a virtual port of a bridge',
    },
  },
  {
    machine: 'laptop',
    sample: {
      rootDisk: { totalBytes: 474 * GIB, writtenBytesPerSecond: 4_096_000 },
      battery: { percent: 64, state: 'discharging' },
      batteries: { '5B10': 100, '01AV424': 64, 'Wireless Mouse': 55 },
      fans: { thinkpad_fan1: 2817 },
      machine: { cores: 4, threads: 8 },
    },
    extraDisks: [],
    interfaces: ['wlp2s0', 'tun0'],
    temperatures: ['thinkpad_cpu'],
    found: { 'disk I/O': 'dm-0 (mounted at /)' },
    skipped: {
      BAT2: 'the bay is empty',
      thinkpad_fan2: 'tells no speed of a fan',
      '/var/lib/snapd/snap/core22/1': 'a read-only image',
      '/boot, /boot/efi': 'small system partition',
    },
  },
  {
    machine: 'nas-with-many-disks',
    sample: {
      extraDisks: {
        sdb1: { totalBytes: 3601 * GIB, usedBytes: 10 * GIB, inodesUsed: 1000, readBytesPerSecond: 204_800 },
        sdc1: { totalBytes: 3601 * GIB, usedBytes: 10 * GIB, inodesUsed: 2000, readBytesPerSecond: 409_600 },
      },
      network: { sentBytesPerSecond: 100_000_000 },
      fans: { nct6779_fan1: 0, nct6779_fan2: 811 },
    },
    extraDisks: ['sdb1', 'sdc1', 'sdd1', 'sde1', 'sdf1', 'sdg1', 'sdi1', 'sdj1', 'sdk1', 'sdl1', 'sdm1'],
    interfaces: ['enp1s0'],
    // The second of three sensors does not respond; the third keeps its name.
    temperatures: ['drivetemp', 'drivetemp_2'],
    found: { 'disk usage': '/ (mounted at /)' },
    skipped: {
      '/srv/disk7': 'Cannot read its size',
      '/srv/pool, /mnt/remote': SERVER_OR_PROGRAM,
      '/srv/image': 'an image file: its space is part of another filesystem',
      'a line of /proc/diskstats': 'Cannot parse "/proc/diskstats": line 27 has 5 fields, expected at least 14',
    },
  },
  {
    machine: 'alpine-container',
    sample: {
      memory: { totalBytes: GIB / 2, usedBytes: 200_000_000, usedPercent: 37.25290298461914, cacheBytes: 140_000_000 },
      swap: { totalBytes: 0, usedBytes: 0 },
      machine: {
        container: 'docker',
        hostScoped: ['cpu', 'load', 'temperatures'],
        totalMemoryBytes: GIB / 2,
        osName: 'Alpine Linux v3.22',
      },
    },
    extraDisks: ['sdb1'],
    interfaces: ['eth0'],
    temperatures: [],
    found: { memory: 'limit of the control group', pressure: 'memory', machine: 'a guest (docker)' },
    skipped: { '/': 'layers of another filesystem' },
  },
  {
    machine: 'podman-host',
    sample: { rootDisk: { totalBytes: 39 * GIB, usedBytes: 12 * GIB, writtenBytesPerSecond: 2 ** 20 } },
    extraDisks: [],
    interfaces: ['ens3'],
    temperatures: [],
    found: { 'disk usage': '/sysroot (mounted at /sysroot)', machine: 'a machine of its own' },
    skipped: { podman0: 'a bridge: its traffic is counted where it leaves the machine', '/boot': 'small system partition' },
  },
  {
    machine: 'cgroup-v1-host',
    sample: {
      memory: { totalBytes: 4_136_960_000, usedBytes: 1_925_120_000, usedPercent: 46.53465346534654 },
      rootDisk: { totalBytes: 50 * GIB },
      // This counter restarted at 4 GiB.
      network: { sentBytesPerSecond: 100, receivedBytesPerSecond: 100 },
      fans: { coretemp_fan1: 1180 },
    },
    extraDisks: ['dm-1'],
    interfaces: ['eth0'],
    temperatures: ['coretemp_core_0'],
    found: { memory: '/proc/meminfo', 'disk I/O': 'dm-0 (mounted at /)' },
    skipped: { pressure: 'the kernel tells none' },
  },
]

for (const { machine, sample: part, extraDisks, interfaces, temperatures, found, skipped } of table) {
  test(`collectors over ${machine} report its numbers, names and reasons`, async () => {
    const { sample, findings, logged } = await measure(readMachine(machine))
    assert.deepEqual(logged, [])
    assert.partialDeepStrictEqual(sample, part)
    assert.deepEqual(Object.keys(sample.extraDisks ?? {}), extraDisks)
    assert.deepEqual(Object.keys(sample.network?.interfaces ?? {}), interfaces)
    assert.deepEqual(Object.keys(sample.temperatures ?? {}), temperatures)
    for (const [name, text] of Object.entries(found)) assert.equal(findings.find((one) => one.name === name)?.found, text, name)
    const reasons = new Map(findings.flatMap((one) => one.skipped.map(({ what, why }) => [what, why])))
    for (const [what, why] of Object.entries(skipped)) assert.equal(reasons.get(what), why, what)
  })

  test(`collectors over ${machine} report plausible numbers that the wire format can carry`, async () => {
    const { sample } = await measure(readMachine(machine))
    for (const [path, value] of numbersIn(sample)) {
      assert.ok(Number.isFinite(value) && value >= 0, `${path} is ${value}`)
      if (/(busy|used|user|system|iowait|steal|idle|utilisation|some|full)Percent$/.test(path))
        assert.ok(value <= 100, `${path} is ${value}`)
    }
    assert.ok(encodeCbor(encodeDocument(sample), nodeUtf8).length > 100)
  })

  test(`collectors over ${machine} lose nothing else when any one of its files is missing`, async () => {
    const fixture = readMachine(machine)
    const whole = new Set(Object.keys((await measure(fixture)).sample))
    for (const path of [
      '/proc/stat',
      '/proc/meminfo',
      '/proc/diskstats',
      '/proc/net/dev',
      '/proc/loadavg',
      '/proc/cpuinfo',
      '/proc/uptime',
    ]) {
      for (const text of [undefined, '', '\u0000\uFFFD garbage\n<html>']) {
        const broken = (files: MachineFixture['files']) => withFile(files, path, text)
        const { sample } = await measure({ ...fixture, files: broken(fixture.files), later: broken(fixture.later) })
        const lost = [...whole].filter((family) => !Object.hasOwn(sample, family))
        assert.ok(lost.length <= (path === '/proc/meminfo' ? 2 : 1), `without ${path}: ${lost.join()} are lost`)
      }
    }
  })
}

function withFile(files: MachineFixture['files'], path: string, text: string | undefined): MachineFixture['files'] {
  const { [path]: _old, ...others } = files
  return text === undefined ? others : { ...others, [path]: text }
}

function numbersIn(value: unknown, path = ''): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => numbersIn(one, `${path}.${name}`))
}
