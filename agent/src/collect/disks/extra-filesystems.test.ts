import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMountInfo } from '../../text/mount-info.ts'
import type { DiskCounters } from './disk-counters.ts'
import { parseNamedFilesystem, selectExtraFilesystems, type ExtraFacts } from './extra-filesystems.ts'
import type { RootDisk } from './root-disk.ts'

const disk = (name: string, number: string): DiskCounters => ({
  name,
  number,
  reads: 1,
  readBytes: 1,
  readMs: 0,
  writes: 0,
  writtenBytes: 0,
  writeMs: 0,
  busyMs: 0,
  weightedMs: 0,
})

const devices = [disk('sda1', '8:1'), disk('sdb1', '8:17'), disk('sdc', '8:32'), disk('dm-0', '253:0'), disk('nvme1n1p1', '259:5')]
const labels: Readonly<Record<string, string>> = { sdb1: 'BACKUP', 'dm-0': 'vault' }

/** `number` is the device number of the filesystem, followed by the mounted subfolder if only a part is mounted. */
const mount = (mountPoint: string, number: string, source: string, filesystem = 'ext4') =>
  `36 35 ${number.includes(' ') ? number : `${number} /`} ${mountPoint} rw shared:1 - ${filesystem} ${source} rw\n`
const rootMount = mount('/', '8:1', '/dev/sda1')

const root: RootDisk = { path: '/', device: 'sda1', deviceNumber: '8:1', folder: '', source: '/dev/sda1', reason: 'mounted at /' }

function choose(mounts: string, configured?: string, more: Partial<ExtraFacts> = {}) {
  const machine = parseMountInfo(mounts)
  const list = configured === undefined ? undefined : configured.split(',').filter(Boolean).map(parseNamedFilesystem)
  const labelOf = ({ name }: DiskCounters) => labels[name]
  const { filesystems, skipped } = selectExtraFilesystems({
    mounts: { machine, own: machine },
    devices,
    root,
    configured: list,
    folder: [],
    labelOf,
    isGuest: false,
    ...more,
  })
  return {
    found: filesystems.map(({ name, path, device }) => `${name} ${path} ${device ?? '-'}`),
    skipped: skipped.map(({ what, why }) => `${what}: ${why}`),
  }
}

const data = mount('/mnt/data', '8:17', '/dev/sdb1')
const vault = mount('/mnt/vault', '253:0', '/dev/mapper/vault')
const nas = mount('/mnt/nas', '0:40', 'nas:/films', 'nfs4')
const HANGS = 'on a server or behind a program, which may hang: name it in EXTRA_FILESYSTEMS'

for (const [what, mounts, found] of [
  ['every disk, under the name of its device', rootMount + data + vault, ['sdb1 /mnt/data sdb1', 'dm-0 /mnt/vault dm-0']],
  [
    'each filesystem once, at the mount of its root',
    rootMount + mount('/srv/a', '8:17 /a', '/dev/sdb1', 'ext4') + data,
    ['sdb1 /mnt/data sdb1'],
  ],
  ['a bind mount of a folder if nothing else is mounted', mount('/data', '8:17 /volumes/x', '/dev/sdb1', 'ext4'), ['sdb1 /data sdb1']],
  [
    'subvolumes of one btrfs once',
    mount('/a', '0:40 /@a', '/dev/sdb1', 'btrfs') + mount('/b', '0:40 /@b', '/dev/sdb1', 'btrfs'),
    ['sdb1 /a sdb1'],
  ],
  ['btrfs by the name of the device mapper', mount('/a', '0:40', '/dev/mapper/vault', 'btrfs'), ['dm-0 /a dm-0']],
  ['the topmost of stacked mounts', mount('/a', '8:17', '/dev/sdb1') + mount('/a', '8:32', '/dev/sdc'), ['sdc /a sdc']],
  [
    'each dataset of ZFS by its name',
    mount('/t', '0:41', 'tank', 'zfs') + mount('/t/b', '0:42', 'tank/b', 'zfs'),
    ['tank /t -', 'tank/b /t/b -'],
  ],
  ['a disk for the engine', mount('/var/lib/docker', '8:32', '/dev/sdc', 'xfs'), ['sdc /var/lib/docker sdc']],
  ['NTFS through a program that has a device', mount('/w', '8:32', '/dev/sdc', 'fuseblk'), ['sdc /w sdc']],
] as const) {
  test(`selectExtraFilesystems without configuration selects ${what}`, () => assert.deepEqual(choose(mounts).found, found))
}

for (const [mounts, why] of [
  [mount('/run', '0:23', 'tmpfs', 'tmpfs'), '/run: no disk behind it'],
  [mount('/m', '0:50', 'overlay', 'overlay'), '/m: layers of another filesystem'],
  [nas, `/mnt/nas: ${HANGS}`],
  [mount('/s', '0:51', 'me@x:', 'fuse.sshfs'), `/s: ${HANGS}`],
  [mount('/snap/x', '7:1', '/dev/loop1', 'squashfs'), '/snap/x: a read-only image'],
  [mount('/cd', '11:0', '/dev/sr0', 'iso9660'), '/cd: a read-only image'],
  [mount('/img', '7:2', '/dev/loop2'), '/img: an image file: its space is part of another filesystem'],
  [
    mount('/var/lib/docker/zfs/graph/a1', '0:77', 'tank/docker/a1', 'zfs'),
    '/var/lib/docker/zfs/graph/a1: part of a container: name it in EXTRA_FILESYSTEMS',
  ],
  [
    mount('/var/lib/kubelet/pods/p/volumes/v', '8:17', '/dev/sdb1'),
    '/var/lib/kubelet/pods/p/volumes/v: part of a container: name it in EXTRA_FILESYSTEMS',
  ],
  [mount('/boot/efi', '8:2', '/dev/sda2', 'vfat'), '/boot/efi: small system partition'],
  [mount('/home', '8:1 /home', '/dev/sda1', 'ext4'), '/home: the same filesystem as the root disk'],
] as const) {
  test(`bug class 4: selectExtraFilesystems omits ${why}`, () => {
    const { found, skipped } = choose(mounts)
    assert.deepEqual([found, skipped], [[], [why]])
  })
}

for (const [configured, mounts, found, skipped] of [
  ['sdb1', rootMount + data + vault, ['sdb1 /mnt/data sdb1'], []],
  ['/mnt/vault__Vault', data + vault, ['Vault /mnt/vault dm-0'], []],
  ['vault', data + vault, ['dm-0 /mnt/vault dm-0'], []],
  ['BACKUP__Back up', data + vault, ['Back up /mnt/data sdb1'], []],
  ['/mnt/nas', nas, ['nas /mnt/nas -'], []],
  ['/mnt/nas,*', nas + data, ['nas /mnt/nas -', 'sdb1 /mnt/data sdb1'], [`/mnt/nas: ${HANGS}`]],
  ['/boot', mount('/boot', '8:17', '/dev/sdb1'), ['sdb1 /boot sdb1'], []],
  ['/plain/folder', data, ['folder /plain/folder -'], []],
  ['/dev/sdz', data, [], ['/dev/sdz: not mounted']],
  ['/not/mounted/now', rootMount, [], ['/not/mounted/now: the same filesystem as the root disk']],
  ['/mnt/data/films', rootMount + data, ['sdb1 /mnt/data/films sdb1'], []],
  ['sda1', rootMount, [], ['sda1: the same filesystem as the root disk']],
  ['sdz9', data, [], ['sdz9: no mount point, device or label has this name']],
  ['sdb1,/mnt/data', data, ['sdb1 /mnt/data sdb1'], ['/mnt/data: the same filesystem as sdb1']],
  ['sdb1__X,sdc__X', data + mount('/c', '8:32', '/dev/sdc'), ['X /mnt/data sdb1', 'X (2) /c sdc'], []],
  ['', data + vault, [], []],
] as const) {
  test(`selectExtraFilesystems with EXTRA_FILESYSTEMS=${configured}`, () => {
    assert.deepEqual(choose(mounts, configured), { found, skipped })
  })
}

test('selectExtraFilesystems selects direct children of /extra-filesystems: mounts and plain folders, with or without a name', () => {
  const mounts =
    mount('/extra-filesystems/sdb1__Films', '8:17', '/dev/sdb1') +
    mount('/extra-filesystems/nvme1n1p1', '254:9', '/dev/mapper/luks-1', 'ext4') +
    mount('/extra-filesystems/sdc/proc', '0:5', 'proc', 'proc')
  const { found } = choose(mounts, '', { folder: ['folder', 'nvme1n1p1', 'sdb1__Films', 'sdc'] })
  assert.deepEqual(found, [
    'folder /extra-filesystems/folder -',
    // An encrypted filesystem has no counters of its own; the counters of the device in the folder's name are used.
    'nvme1n1p1 /extra-filesystems/nvme1n1p1 nvme1n1p1',
    'Films /extra-filesystems/sdb1__Films sdb1',
    'sdc /extra-filesystems/sdc sdc',
  ])
})

test("selectExtraFilesystems omits datasets in the pool of the root disk, but keeps a guest's volumes", () => {
  const mounts = mount('/', '0:30', 'rpool/ROOT/a', 'zfs') + mount('/home', '0:31', 'rpool/home', 'zfs')
  const onPool = { root: { ...root, deviceNumber: '0:30', source: 'rpool/ROOT/a' } }
  assert.deepEqual(choose(mounts, undefined, onPool).found, [])
  assert.deepEqual(choose(mounts, undefined, { ...onPool, isGuest: true }).found, ['rpool/home /home -'])
})

test("selectExtraFilesystems with the host's mounts reads the size at the container's path of the filesystem", () => {
  const machine = parseMountInfo(rootMount + data + vault)
  const own = parseMountInfo(mount('/', '0:50', 'overlay', 'overlay') + mount('/backup', '8:17 /x', '/dev/sdb1', 'ext4'))
  const { found, skipped } = choose('', undefined, { mounts: { machine, own } })
  assert.deepEqual(found, ['sdb1 /backup sdb1'])
  assert.ok(skipped.includes('/mnt/vault: not mounted where the agent can see it'))
})

test("selectExtraFilesystems in a container maps the machine's paths below the mounted root folder", () => {
  const mounts = mount('/host', '8:1', '/dev/sda1') + mount('/host/boot', '8:32', '/dev/sdc') + mount('/host/srv', '8:17', '/dev/sdb1')
  const inContainer = { root: { ...root, folder: '/host', path: '/host' } }
  assert.deepEqual(choose(mounts, undefined, inContainer).found, ['sdb1 /host/srv sdb1'])
  assert.deepEqual(choose(mounts, '/srv__Data', inContainer).found, ['Data /host/srv sdb1'])
})

test('selectExtraFilesystems selects at most 64 filesystems', () => {
  const many = Array.from({ length: 100 }, (_, index) => mount(`/d${index}`, `65:${index}`, `/dev/d${index}`)).join('')
  const { found, skipped } = choose(many)
  assert.deepEqual([found.length, skipped.at(-1)], [64, '/d64, /d65, /d66 and 33 more: more than 64 filesystems'])
})
