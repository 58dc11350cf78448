import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMountInfo } from '../../text/mount-info.ts'
import type { DiskCounters } from './disk-counters.ts'
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

const devices = [
  disk('sda', '8:0', 10),
  disk('sda1', '8:1', 9),
  disk('sda10', '8:10', 90),
  disk('sdb', '8:16', 99),
  disk('nvme0n1p2', '259:2', 5),
  disk('dm-0', '253:0', 1),
]
const mount = (mountPoint: string, number: string, source: string, filesystem = 'ext4') =>
  `36 35 ${number} / ${mountPoint} rw,noatime shared:1 - ${filesystem} ${source} rw\n`

const overlay = mount('/', '0:50', 'overlay', 'overlay')
const root = mount('/', '8:1', '/dev/sda1')
const data = mount('/data', '8:16', '/dev/sdb')

type Row = readonly [what: string, mounts: string, filesystem: string | undefined, path: string | undefined, device: string | undefined]
const rows: readonly Row[] = [
  ['the device mounted at the root, by its number', mount('/', '8:1', '/dev/root'), undefined, '/', 'sda1'],
  ['the topmost of two devices mounted at the root', mount('/', '8:16', '/dev/sdb') + root, undefined, '/', 'sda1'],
  ['the device by its name if its number is unknown', mount('/', '0:31', '/dev/sda1', 'btrfs'), undefined, '/', 'sda1'],
  ['the disk of a partition without counters', mount('/', '0:31', '/dev/nvme0n1p2p1', 'btrfs'), undefined, '/', 'nvme0n1p2'],
  [
    'in a container, the device of its bind-mounted files',
    overlay + mount('/etc/hosts', '259:2', '/dev/nvme0n1p2'),
    undefined,
    '/',
    'nvme0n1p2',
  ],
  ['the busiest disk if nothing else decides', overlay, undefined, '/', 'sdb'],
  ['the configured mount point', root + data, '/data', '/data', 'sdb'],
  ['the configured device', root + data, '/dev/sdb', '/data', 'sdb'],
  ['the configured label', root + data, 'BACKUP', '/data', 'sdb'],
  ['the configured name of the device mapper', root + mount('/v', '253:0', '/dev/dm-0'), 'vault', '/v', 'dm-0'],
  ['a configured device without a mount', root, 'sdb', '/', 'sdb'],
  ['the root when the configured device is missing', root, 'zzz', '/', 'sda1'],
]

const labels: Readonly<Record<string, string>> = { sdb: 'BACKUP', 'dm-0': 'vault' }
const facts = (text: string, filesystem: string | undefined, isGuest = false) => {
  const machine = parseMountInfo(text)
  const labelOf = ({ name }: DiskCounters) => labels[name]
  return { mounts: { machine, own: machine }, devices, rootMountPoint: '/', hostRoot: undefined, filesystem, labelOf, isGuest }
}

for (const [what, mounts, filesystem, path, device] of rows) {
  test(`selectRootDisk: ${what}`, () => {
    const chosen = selectRootDisk(facts(mounts, filesystem))
    assert.deepEqual([chosen.path, chosen.device], [path, device])
  })
}

test("bug class 4: selectRootDisk never confuses sda10 with sda1, nor another guest's disk with its own", () => {
  const without = devices.filter(({ name }) => name === 'sda10')
  const named = selectRootDisk({ ...facts(mount('/', '0:31', '/dev/sda1', 'btrfs'), undefined, true), devices: without })
  assert.deepEqual([named.device, named.reason], [undefined, 'no block device of its own: no disk I/O'])
})

test("bug class 3: selectRootDisk selects the machine's root that is mounted into the container, and reports that", () => {
  const text = overlay + mount('/etc/hosts', '8:16', '/dev/sdb') + mount('/host', '8:1', '/dev/sda1')
  const machine = parseMountInfo(text)
  const chosen = selectRootDisk({ ...facts(text, undefined), hostRoot: machine.find(({ mountPoint }) => mountPoint === '/host') })
  assert.deepEqual([chosen.path, chosen.device, chosen.reason], ['/host', 'sda1', "the machine's root is mounted at /host"])
})

test("bug class 3: selectRootDisk with the host's mounts reads the size at the container's path of the same filesystem, or not at all", () => {
  const machine = parseMountInfo(root)
  const seen = parseMountInfo(overlay + mount('/etc/hosts', '8:1', '/dev/sda1'))
  const unseen = parseMountInfo(overlay + mount('/etc/hosts', '8:16', '/dev/sdb'))
  const pathWith = (own: typeof seen) => selectRootDisk({ ...facts(root, undefined), mounts: { machine, own } }).path
  assert.deepEqual([pathWith(seen), pathWith(unseen)], ['/etc/hosts', undefined])
})

test('selectRootDisk returns a root for a machine without any device', () => {
  const { path, device } = selectRootDisk({ ...facts('', undefined), devices: [] })
  assert.deepEqual([path, device], ['/', undefined])
})

test('selectRootDisk reports that the configured disk is missing', () => {
  assert.equal(selectRootDisk(facts(root, 'zzz')).reason, 'mounted at /; FILESYSTEM names zzz, which is not there')
})
