import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMountInfo } from '../text/mount-info.ts'
import type { DiskCounters } from './disk-io.ts'
import { selectRootDisk } from './root-disk.ts'

const disk = (name: string, number: string, readBytes = 0): DiskCounters => ({
  name,
  number,
  reads: 0,
  readBytes,
  readMs: 0,
  writes: 0,
  writtenBytes: 0,
  writeMs: 0,
  busyMs: 0,
  weightedMs: 0,
})

const devices = [disk('sda', '8:0', 10), disk('sda1', '8:1', 9), disk('sdb', '8:16', 99), disk('nvme0n1p2', '259:2', 5)]
const mount = (mountPoint: string, number: string, source: string, filesystem = 'ext4') =>
  `36 35 ${number} / ${mountPoint} rw,noatime shared:1 - ${filesystem} ${source} rw\n`

for (const [name, mounts, filesystem, expected] of [
  ['the device mounted at the root, by its number', mount('/', '8:1', '/dev/root'), undefined, { mountPoint: '/', device: 'sda1' }],
  [
    'by its name where the number is none of a device',
    mount('/', '0:31', '/dev/sda1', 'btrfs'),
    undefined,
    { mountPoint: '/', device: 'sda1' },
  ],
  [
    'in a container, the one its bound files lie on',
    mount('/', '0:50', 'overlay', 'overlay') + mount('/etc/hosts', '259:2', '/dev/nvme0n1p2'),
    undefined,
    { mountPoint: '/', device: 'nvme0n1p2' },
  ],
  ['the busiest where nothing tells', mount('/', '0:50', 'overlay', 'overlay'), undefined, { mountPoint: '/', device: 'sdb' }],
  [
    'the configured mount point',
    mount('/', '8:1', '/dev/sda1') + mount('/data', '8:16', '/dev/sdb'),
    '/data',
    { mountPoint: '/data', device: 'sdb' },
  ],
  [
    'the configured device',
    mount('/', '8:1', '/dev/sda1') + mount('/data', '8:16', '/dev/sdb'),
    '/dev/sdb',
    { mountPoint: '/data', device: 'sdb' },
  ],
  ['a configured device without a mount', mount('/', '8:1', '/dev/sda1'), 'sdb', { mountPoint: '/', device: 'sdb' }],
  ['the root when the configured one is not there', mount('/', '8:1', '/dev/sda1'), 'sdz', { mountPoint: '/', device: 'sda1' }],
] as const) {
  test(`selectRootDisk: ${name}`, () => {
    assert.deepEqual(selectRootDisk({ mounts: parseMountInfo(mounts), devices, rootMountPoint: '/', filesystem }), expected)
  })
}

test('selectRootDisk of a machine without any device still has a root', () => {
  assert.deepEqual(selectRootDisk({ mounts: [], devices: [], rootMountPoint: '/', filesystem: undefined }), {
    mountPoint: '/',
    device: undefined,
  })
})
