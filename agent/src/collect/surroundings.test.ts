import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { hostScopedFamilies, readSurroundings } from './surroundings.ts'

type Files = Readonly<Record<string, string>>

const read = (files: Files, means = { hasHostProc: false, hasEngine: false }) => {
  const source = procSource(memoryRuntime({ files, bytes: byteTools }).runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  return readSurroundings(source, means)
}

const overlay = { '/proc/self/mountinfo': '1 0 0:50 / / rw - overlay overlay rw\n' }
const disk = { '/proc/self/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n' }
const limited = { '/sys/fs/cgroup/memory.max': '536870912\n' }
const limitedV1 = { '/sys/fs/cgroup/memory/memory.limit_in_bytes': '536870912\n' }
const docker = { ...overlay, '/.dockerenv': '' }
const none = { hasHostProc: false, hasEngine: false }

for (const [what, files, means, container, isGuest] of [
  ['a physical machine', disk, none, undefined, false],
  ['a machine without any file', {}, none, undefined, false],
  ['a machine made from a container image', { ...disk, '/.dockerenv': '', ...limited }, none, undefined, false],
  ['WSL', { ...disk, '/run/systemd/container': 'wsl\n' }, none, undefined, false],
  ['Docker without a limit', docker, none, 'docker', false],
  [
    'Docker with "no limit" in cgroup v1',
    { ...docker, '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' },
    none,
    'docker',
    false,
  ],
  ['Docker with "no limit" in cgroup v2', { ...docker, '/sys/fs/cgroup/memory.max': 'max\n' }, none, 'docker', false],
  ['Docker with a limit and no access to the machine', { ...docker, ...limited }, none, 'docker', true],
  ['the same on cgroup v1', { ...docker, ...limitedV1 }, none, 'docker', true],
  ['Docker with a limit and the engine', { ...docker, ...limited }, { ...none, hasEngine: true }, 'docker', false],
  ["Docker with a limit and the host's /proc", { ...docker, ...limited }, { ...none, hasHostProc: true }, 'docker', false],
  ["Docker with a limit and the host's network", { ...docker, ...limited, '/sys/class/net/eth0/device/vendor': '' }, none, 'docker', false],
  ['Docker with a limit and further filesystems', { ...docker, ...limited, '/extra-filesystems/sdb1/x': '' }, none, 'docker', false],
  [
    "a pod with a limit and the machine's root",
    {
      '/proc/self/mountinfo': `${overlay['/proc/self/mountinfo']}2 1 8:1 / /host ro - ext4 /dev/sda1 rw\n`,
      '/host/etc/os-release': '',
      '/var/run/secrets/kubernetes.io/x': '',
      ...limited,
    },
    none,
    'kubernetes',
    false,
  ],
  ['Podman with a limit', { ...overlay, '/run/.containerenv': '', ...limited }, none, 'podman', true],
  ['a pod with a limit', { ...overlay, '/var/run/secrets/kubernetes.io/x': '', ...limited }, none, 'kubernetes', true],
  ['LXC by systemd', { '/run/systemd/container': 'lxc\n' }, none, 'lxc', true],
  ['LXC by its first process', { '/proc/1/environ': 'PATH=/bin\0container=lxc\0' }, none, 'lxc', true],
  [
    'LXC by lxcfs, to an agent that is not root',
    { '/proc/self/mountinfo': '1 0 0:39 /proc/meminfo /proc/meminfo rw - fuse.lxcfs lxcfs rw\n' },
    none,
    'lxc',
    true,
  ],
  ['LXC with its own engine', { '/run/systemd/container': 'lxc\n' }, { ...none, hasEngine: true }, 'lxc', true],
  ['systemd-nspawn', { '/run/systemd/container': 'systemd-nspawn\n' }, none, 'systemd-nspawn', true],
  ['OpenVZ', { '/proc/vz/veinfo': '' }, none, 'openvz', true],
  ['a machine that runs OpenVZ', { '/proc/vz/veinfo': '', '/proc/bc/0': '' }, none, undefined, false],
] as const) {
  test(`bug class 1: readSurroundings: ${what} is ${isGuest ? 'a guest' : 'none'}`, () => {
    const told = read(files, means)
    assert.deepEqual([told.container, told.isGuest], [container, isGuest])
  })
}

const lxcfs = (...names: readonly string[]) => ({
  '/proc/self/mountinfo': names.map((name) => `1 0 0:39 /proc/${name} /proc/${name} rw - fuse.lxcfs lxcfs rw\n`).join(''),
})

for (const [what, files, isMemoryLimited, families] of [
  ['all of lxcfs', lxcfs('meminfo', 'stat', 'loadavg'), false, ['temperatures']],
  ['lxcfs without load', lxcfs('meminfo', 'stat'), false, ['load', 'temperatures']],
  ['no lxcfs and a limit', { '/run/systemd/container': 'lxc' }, true, ['cpu', 'load', 'temperatures']],
  ['no lxcfs and no limit', { '/run/systemd/container': 'systemd-nspawn' }, false, ['cpu', 'memory', 'load', 'temperatures']],
  ['OpenVZ', { '/proc/vz/veinfo': '' }, false, ['temperatures']],
  ['Docker that watches its host', docker, false, undefined],
] as const) {
  test(`bug class 2: hostScopedFamilies with ${what}`, () => assert.deepEqual(hostScopedFamilies(read(files), isMemoryLimited), families))
}
