import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { guestMemory, guestSwap, readGuestMemory } from './cgroup-memory.ts'
import { memoryCollector } from './memory.ts'

const MIB = 2 ** 20
const sourceOf = (files: Readonly<Record<string, string>>) =>
  procSource(memoryRuntime({ files, bytes: byteTools }).runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })

const second = (folder: string, limit: string) => ({
  [`/sys/fs/cgroup${folder}/memory.max`]: limit,
  [`/sys/fs/cgroup${folder}/memory.current`]: '100\n',
  [`/sys/fs/cgroup${folder}/memory.stat`]: 'anon 40\nfile 60\nshmem 5\ninactive_file 50\n',
})
const first = (folder: string, limit: string) => ({
  [`/sys/fs/cgroup/memory${folder}/memory.limit_in_bytes`]: limit,
  [`/sys/fs/cgroup/memory${folder}/memory.usage_in_bytes`]: '100\n',
  [`/sys/fs/cgroup/memory${folder}/memory.stat`]:
    'cache 1\nswap 1\ninactive_file 1\ntotal_cache 60\ntotal_swap 7\ntotal_shmem 5\ntotal_inactive_file 50\n',
})
const group = { chargedBytes: 100, inactiveFileBytes: 50, fileBytes: 60, sharedBytes: 5 }

for (const [what, files, expected] of [
  ['nothing', {}, undefined],
  ['no limit', second('', 'max\n'), undefined],
  ['no limit in cgroup v1', first('', '9223372036854771712\n'), undefined],
  ['the root of its cgroup namespace', { ...second('', '1000\n'), '/proc/1/cgroup': '0::/init.scope\n' }, { limitBytes: 1000, ...group }],
  [
    'the lowest limit above its first process',
    { ...second('/lxc/a', '900\n'), ...second('/lxc', '800\n'), ...second('', 'max\n'), '/proc/1/cgroup': '0::/lxc/a/init.scope\n' },
    { limitBytes: 800, ...group },
  ],
  [
    "never the limit of the agent's own service",
    {
      ...second('', '1000\n'),
      ...second('/system.slice/agent.service', '10\n'),
      '/proc/1/cgroup': '0::/init.scope\n',
      '/proc/self/cgroup': '0::/system.slice/agent.service\n',
    },
    { limitBytes: 1000, ...group },
  ],
  [
    'the first version, also where the path is what the host calls it',
    { ...first('', '2000\n'), '/proc/1/cgroup': '9:name=systemd:/docker/x\n4:cpu,memory:/docker/x\n' },
    { limitBytes: 2000, ...group, swap: { limitBytes: undefined, usedBytes: 7 } },
  ],
] as const) {
  test(`bug class 1: readGuestMemory: ${what}`, () => assert.deepEqual(readGuestMemory(sourceOf(files)), expected))
}

test('readGuestMemory reads the swap of both cgroup versions', () => {
  const v2 = { ...second('', '1000'), '/sys/fs/cgroup/memory.swap.max': '0\n', '/sys/fs/cgroup/memory.swap.current': '0\n' }
  assert.deepEqual(readGuestMemory(sourceOf(v2))?.swap, { limitBytes: 0, usedBytes: 0 })
  const v1 = { ...first('', '1000'), '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes': '1500\n' }
  assert.deepEqual(readGuestMemory(sourceOf(v1))?.swap, { limitBytes: 500, usedBytes: 7 })
})

const machine = { totalBytes: 10_000, usedBytes: 9000, usedPercent: 90, cacheBytes: 10 }

test("guestMemory subtracts memory that can be reclaimed at once, and ignores a limit above the machine's memory", () => {
  assert.deepEqual(guestMemory(machine, { limitBytes: 1000, ...group }), {
    totalBytes: 1000,
    usedBytes: 50,
    usedPercent: 5,
    cacheBytes: 55,
  })
  assert.equal(guestMemory(machine, { limitBytes: 20_000, ...group }), machine)
})

test("guestSwap never exceeds the machine's swap or the limit", () => {
  const total = { totalBytes: 100, usedBytes: 90 }
  const withSwap = (limitBytes: number | undefined, usedBytes: number) =>
    guestSwap(total, { limitBytes: 1, ...group, swap: { limitBytes, usedBytes } })
  assert.deepEqual(
    [withSwap(50, 70), withSwap(undefined, 7)],
    [
      { totalBytes: 50, usedBytes: 50 },
      { totalBytes: 100, usedBytes: 7 },
    ],
  )
  assert.equal(guestSwap(undefined, { limitBytes: 1, ...group }), undefined)
})

test('bug class 24: guestMemory stays between zero and the total for any file contents', () => {
  const bytes = fc.nat(2 ** 40)
  const any = fc.record({ limitBytes: bytes, chargedBytes: bytes, inactiveFileBytes: bytes, fileBytes: bytes, sharedBytes: bytes })
  fc.assert(
    fc.property(any, (files) => {
      const { totalBytes, usedBytes, usedPercent, cacheBytes = 0 } = guestMemory({ ...machine, totalBytes: 2 ** 39 }, files)
      assert.ok(usedBytes >= 0 && usedBytes + cacheBytes <= totalBytes && usedPercent >= 0 && usedPercent <= 100)
    }),
  )
})

test("bug class 1: memoryCollector outside a guest reports the machine's memory and ignores cgroup limits", async () => {
  const files = { ...second('', String(64 * MIB)), '/proc/meminfo': 'MemTotal: 1048576 kB\nMemFree: 1000 kB\nMemAvailable: 524288 kB\n' }
  const surroundings = { container: undefined, isGuest: false, virtualised: new Set<string>() }
  const collect = (isGuest: boolean) =>
    memoryCollector(sourceOf(files), 'available', { ...surroundings, isGuest }).collect({ atMs: 0, consumer: 0 })
  assert.equal((await collect(false))?.memory.totalBytes, 1024 * MIB)
  assert.equal((await collect(true))?.memory.totalBytes, 64 * MIB)
})
