import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memorySample, parseArcBytes, parseMemoryInfo, swapSample } from './memory.ts'

const MIB = 1024 * 1024
const info = (kibibytes: Readonly<Record<string, number>>) =>
  parseMemoryInfo(
    Object.entries(kibibytes)
      .map(([name, value]) => `${name}:  ${value} kB`)
      .join('\n'),
  )

test('parseMemoryInfo returns bytes by name, omits unknown names, and refuses lines without a number of 0 or more', () => {
  const of = parseMemoryInfo('MemTotal:       1024 kB\nMemFree:  many\nCached: -5 kB\n')
  assert.deepEqual([of('MemTotal'), of('SwapTotal')], [MIB, undefined])
  for (const name of ['MemFree', 'Cached']) assert.throws(() => of(name), SyntaxError)
})

for (const text of ['', 'MemFree: 1 kB\n', 'MemTotal: kB\n', '<html>']) {
  test(`parseMemoryInfo refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseMemoryInfo(text), SyntaxError))
}

const machine = { MemTotal: 8192, MemFree: 1024, MemAvailable: 4096, Buffers: 512, Cached: 2048, SReclaimable: 256, Shmem: 128 }

test('memorySample counts as used the memory that cannot be reclaimed, or as htop does, memory that is not free or cache', () => {
  assert.deepEqual(memorySample(info(machine), 'available', 0), {
    totalBytes: 8 * MIB,
    usedBytes: 4 * MIB,
    usedPercent: 50,
    cacheBytes: 2688 * 1024,
  })
  assert.equal(memorySample(info(machine), 'htop', 0).usedBytes, (8192 - 1024 - 2688) * 1024)
})

test('memorySample does not count the ZFS cache as used, unless it exceeds the used memory', () => {
  assert.deepEqual(
    [memorySample(info(machine), 'available', MIB).usedBytes, memorySample(info(machine), 'available', MIB).zfsArcBytes],
    [3 * MIB, MIB],
  )
  assert.equal(memorySample(info(machine), 'available', 9 * MIB).zfsArcBytes, undefined)
})

test('memorySample handles a kernel without MemAvailable and a container without caches', () => {
  const { MemAvailable: _unknown, ...older } = machine
  assert.equal(memorySample(info(older), 'available', 0).usedBytes, (8192 - 1024 - 512 - 2048 - 256) * 1024)
  assert.equal(memorySample(info({ MemTotal: 8192, MemFree: 1024, MemAvailable: 4096 }), 'available', 0).cacheBytes, 3 * MIB)
})

test('memorySample and swapSample are unknown, not fully used, when the line for free memory is missing', () => {
  assert.throws(() => memorySample(info({ MemTotal: 8192, Cached: 1024 }), 'available', 0), SyntaxError)
  assert.equal(swapSample(info({ MemTotal: 1, SwapTotal: 1024 })), undefined)
})

test('memorySample stays between zero and the total for any lines', () => {
  const kib = fc.nat(2 ** 30)
  const lines = fc.record(
    { MemTotal: kib, MemFree: kib, MemAvailable: kib, Buffers: kib, Cached: kib, SReclaimable: kib, Shmem: kib },
    { requiredKeys: ['MemTotal', 'MemFree'] },
  )
  fc.assert(
    fc.property(lines, fc.constantFrom('available', 'htop'), kib, (values, calculation, arcKib) => {
      const { totalBytes, usedBytes, usedPercent, cacheBytes = -1 } = memorySample(info(values), calculation, arcKib * 1024)
      assert.ok(usedBytes >= 0 && usedBytes <= totalBytes && usedPercent >= 0 && usedPercent <= 100)
      assert.ok(cacheBytes >= 0 && cacheBytes <= totalBytes)
    }),
  )
})

test('swapSample does not count pages that are also in memory; a kernel without swap has no swap sample', () => {
  assert.deepEqual(swapSample(info({ MemTotal: 1, SwapTotal: 3072, SwapFree: 1024, SwapCached: 1024 })), {
    totalBytes: 3 * MIB,
    usedBytes: MIB,
  })
  assert.equal(swapSample(info({ MemTotal: 1 })), undefined)
})

test('parseArcBytes returns the bytes above the minimum size of the cache, which ZFS never frees', () => {
  const of = (size: string, least: string) => parseArcBytes(`9 1 0x01 147 39984 4 5\nname type data\nc_min 4 ${least}\nsize 4 ${size}\n`)
  assert.equal(of('3145728', '1048576'), 2 * MIB)
  assert.equal(of('1048576', '2097152'), 0)
  assert.throws(() => of('-1', '0'), SyntaxError)
  assert.throws(() => of('1048576', '-1'), SyntaxError)
})

test('parseArcBytes reads the third column of the row "size"', () => {
  assert.equal(parseArcBytes('9 1 0x01 147 39984 4\nname type data\nhits 4 100\nsize                            4    1048576\n'), MIB)
  assert.equal(parseArcBytes('nothing of the kind'), 0)
})
