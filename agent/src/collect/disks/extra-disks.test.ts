import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import type { FilesystemFacts } from '../../runtime/runtime.ts'
import { procSource, type ProcSource } from '../../source/proc-source.ts'
import { diskCounterReader } from './disk-counters.ts'
import { diskLayout } from './disk-layout.ts'
import { extraDisksCollector } from './extra-disks.ts'
import type { NamedFilesystem } from './extra-filesystems.ts'

const GIB = 2 ** 30
const size = (total: number, used: number): FilesystemFacts => ({
  totalBytes: total * GIB,
  freeBytes: (total - used) * GIB,
  availableBytes: (total - used) * GIB,
})
const mount = (mountPoint: string, number: string, source: string, filesystem = 'ext4') =>
  `36 35 ${number} / ${mountPoint} rw - ${filesystem} ${source} rw\n`
const ROOT = mount('/', '8:1', '/dev/sda1')
const DATA = mount('/data', '8:17', '/dev/sdb1')
const device = (number: string, name: string, sectors: number) => `${number.replace(':', ' ')} ${name} 9 0 ${sectors} 0 9 0 0 0 0 0 0\n`
const counters = (sectors: number) => device('8:1', 'sda1', 1) + device('8:17', 'sdb1', sectors) + device('8:33', 'sdc1', sectors)

type Options = {
  readonly configured?: readonly NamedFilesystem[]
  readonly keptMs?: number
  readonly sizes?: Readonly<Record<string, FilesystemFacts>>
}

function machine(mounts: string, { configured, keptMs = 0, sizes = {} }: Options = {}) {
  const memory = memoryRuntime({ files: { '/proc/1/mountinfo': mounts, '/proc/diskstats': counters(0) }, bytes: byteTools })
  const asked: string[] = []
  let known: Readonly<Record<string, FilesystemFacts>> = { '/': size(100, 50), '/data': size(200, 20), '/more': size(300, 30), ...sizes }
  const source: ProcSource = {
    ...procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }),
    statfs: (path) => (asked.push(path), known[path]),
  }
  const reader = diskCounterReader(source)
  const layout = diskLayout(source, reader, { filesystem: undefined, extraFilesystems: configured, isGuest: false })
  const collector = extraDisksCollector(source, reader, layout, keptMs)
  return {
    asked,
    report: () => collector.report?.(),
    change: (text: string, sectors: number) => memory.replaceFiles({ '/proc/1/mountinfo': text, '/proc/diskstats': counters(sectors) }),
    resize: (sizesNow: Readonly<Record<string, FilesystemFacts>>) => {
      known = sizesNow
    },
    tick: (atMs: number, consumer = 1000) => collector.collect({ atMs, consumer }),
  }
}

test('extraDisksCollector reports size, usage and I/O of each disk, per consumer', async () => {
  const { tick, change } = machine(ROOT + DATA)
  assert.deepEqual(await tick(0, 60_000), { sdb1: { totalBytes: 200 * GIB, usedBytes: 20 * GIB, usedPercent: 10 } })
  change(ROOT + DATA, 2000)
  assert.equal((await tick(1000))?.['sdb1']?.readBytesPerSecond, 1_024_000)
  change(ROOT + DATA, 4000)
  assert.equal((await tick(2000))?.['sdb1']?.readBytesPerSecond, 1_024_000)
  assert.equal((await tick(10_000, 60_000))?.['sdb1']?.readBytesPerSecond, 204_800)
})

test('extraDisksCollector notices a mounted or unmounted disk within two seconds', async () => {
  const { tick, change, asked } = machine(ROOT + DATA)
  const names = async (atMs: number) => Object.keys((await tick(atMs)) ?? {})
  assert.deepEqual(await names(0), ['sdb1'])
  change(ROOT + DATA + mount('/more', '8:33', '/dev/sdc1'), 1)
  assert.deepEqual(await names(2000), ['sdb1', 'sdc1'])
  change(ROOT + mount('/more', '8:33', '/dev/sdc1'), 1)
  asked.length = 0
  assert.deepEqual(await names(4000), ['sdc1'])
  assert.deepEqual(asked, ['/more'])
})

test('extraDisksCollector caches sizes for the configured time, but never I/O', async () => {
  const { tick, change, asked } = machine(ROOT + DATA, { keptMs: 60_000 })
  await tick(0)
  change(ROOT + DATA, 2000)
  assert.equal((await tick(1000))?.['sdb1']?.readBytesPerSecond, 1_024_000)
  await tick(59_999)
  assert.deepEqual(asked, ['/data'])
  await tick(60_000)
  assert.deepEqual(asked, ['/data', '/data'])
})

test('extraDisksCollector omits a disk with an unreadable or zero size, gives the reason, and reads its size again', async () => {
  const { tick, report, resize } = machine(ROOT + DATA, { keptMs: 60_000 })
  resize({})
  assert.equal(await tick(0), undefined)
  assert.deepEqual(report()?.skipped?.[0], { what: '/data', why: 'Cannot read its size' })
  resize({ '/data': size(0, 0) })
  assert.equal(await tick(1000), undefined)
  resize({ '/data': size(10, 1) })
  assert.equal((await tick(62_000))?.['sdb1']?.totalBytes, 10 * GIB)
})

test('bug class 4: extraDisksCollector omits the root disk under another path by its size, but never another disk', async () => {
  const configured = [
    { wanted: '/again', displayName: undefined },
    { wanted: '/data', displayName: undefined },
  ]
  const again = { totalBytes: 100 * GIB + 5, freeBytes: 50 * GIB - 1_000_000, availableBytes: 0 }
  const { tick, report } = machine(ROOT + DATA + mount('/again', '0:40', 'root@x', 'fuse.x'), {
    configured,
    sizes: { '/again': again, '/data': size(100, 50) },
  })
  assert.deepEqual(Object.keys((await tick(0)) ?? {}), ['sdb1'])
  assert.deepEqual(report()?.skipped?.[0], { what: '/again', why: 'the same filesystem as the root disk, by its size' })
})

test('extraDisksCollector reports sizes without disk counters of the kernel', async () => {
  const { tick, change } = machine(ROOT + DATA)
  change(ROOT + DATA, 0)
  assert.deepEqual(Object.keys((await tick(0))?.['sdb1'] ?? {}), ['totalBytes', 'usedBytes', 'usedPercent'])
})
