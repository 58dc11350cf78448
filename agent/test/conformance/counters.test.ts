import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testedHost, type TestedHost } from './tested-host.ts'

/** Counters that are read repeatedly. Every host must return the same. */

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-counters-'))
})
after(async () => {
  await rm(folder, { recursive: true })
})

const first = { after: '', offset: 1 }

/** The counters of one file. */
async function numbersOf({ runtime }: TestedHost, text: string, wanted: readonly { readonly after: string; readonly offset: number }[]) {
  const path = join(folder, 'numbers')
  await writeFile(path, text)
  assert.equal(await runtime.countersOpen(1, { processFolder: '/proc/self', files: [{ path, wanted }] }), true)
  const [numbers] = await runtime.countersRead([1])
  await runtime.countersClose(1)
  return numbers
}

test('countersRead finds numbers after words, and adds up the numbers of several lines', async () => {
  await using tested = await testedHost()
  const device = (name: string, from: number) => `  ${name}: ${Array.from({ length: 16 }, (_, index) => from + index).join(' ')}`
  const network = [
    'Inter-|   Receive  |  Transmit',
    ' face |bytes packets',
    device('lo', 9000),
    device('eth0', 100),
    'eth12:5 6 7 8 9 10 11 12 13',
  ]
  const both = [1, 9].map((offset) => ({ after: 'eth#', offset }))
  assert.deepEqual(await numbersOf(tested, `${network.join('\n')}\n${device('eth0.5', 1)}\n${device('ethx', 1)}`, both), [105, 121])
  for (const [text, wanted, numbers] of [
    ['138753306\n', [first], [138_753_306]],
    ['18446744073709551615', [first], [2 ** 64]],
    ['max\n', [first], [null]],
    ['', [first], [null]],
    ['cache 7\ntotal_cache 8\n', [{ after: 'cache', offset: 1 }], [7]],
    ['8:0 Read 5\n8:0 Write 6\n8:16 Read 7\nTotal 18\n', [{ after: 'Read', offset: 1 }], [12]],
    [
      '8:0 rbytes=1 wbytes=2 rios=3\n\n8:16 rbytes=10\n',
      ['rbytes', 'wbytes', 'dbytes'].map((one) => ({ after: one, offset: 1 })),
      [11, 2, null],
    ],
    ['a -5\na 1.5\na 0x10\n', [{ after: 'a', offset: 1 }], [null]],
    ['eth 1\neth0', [{ after: 'eth#', offset: 1 }], [null]],
  ] as const) {
    assert.deepEqual(await numbersOf(tested, text, wanted), numbers, text)
  }
})

test('countersRead returns current values of the files that existed when the set was opened', async () => {
  await using tested = await testedHost()
  const { runtime } = tested
  const path = join(folder, 'growing')
  const files = [path, join(folder, 'none'), '/proc/uptime', 'statm'].map((one) => ({ path: one, wanted: [first] }))
  await writeFile(path, '1')
  assert.equal(await runtime.countersOpen(5, { processFolder: `/proc/${process.pid}`, files }), true)
  const [one] = await runtime.countersRead([5])
  assert.deepEqual([one?.[0], one?.[1], one?.[2], typeof one?.[3]], [1, null, null, 'number'])
  await writeFile(path, '2')
  await writeFile(join(folder, 'none'), '3')
  const [again, unknown] = await runtime.countersRead([5, 6])
  assert.deepEqual([again?.[0], again?.[1], unknown], [2, null, null])
  await runtime.countersClose(5)
  await runtime.countersClose(6)
  assert.deepEqual(await runtime.countersRead([5]), [null])
})

test('countersRead returns null for a file that is too long, and reads the other files', async () => {
  await using tested = await testedHost()
  const { runtime } = tested
  const path = join(folder, 'long')
  await writeFile(path, '1 '.repeat(40_000))
  await runtime.countersOpen(1, { processFolder: '/proc/self', files: [{ path, wanted: [first] }] })
  await writeFile(join(folder, 'short'), '1')
  await runtime.countersOpen(2, { processFolder: '/proc/self', files: [{ path: join(folder, 'short'), wanted: [first] }] })
  assert.deepEqual(await runtime.countersRead([1, 2]), [null, [1]])
})

test('countersRead returns null after the process of the set has ended', async () => {
  await using tested = await testedHost()
  const { runtime } = tested
  const child = spawn('sleep', ['60'])
  const wanted = { processFolder: `/proc/${child.pid}`, files: [{ path: 'statm', wanted: [first] }] }
  assert.equal(await runtime.countersOpen(1, wanted), true)
  assert.equal(typeof (await runtime.countersRead([1]))[0]?.[0], 'number')
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.deepEqual(await runtime.countersRead([1]), [null])
  assert.equal(await runtime.countersOpen(2, wanted), false)
  assert.deepEqual(await runtime.countersRead([2]), [null])
})

const GROUPS = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup']
const groups = GROUPS.find((path) => existsSync(join(path, 'cgroup.procs')))
const skip = groups === undefined || process.getuid?.() !== 0 ? 'only root makes control groups, where there are any' : false

test(
  'countersRead returns null after the control group of the set was removed, even if a group of the same name follows',
  { skip },
  async () => {
    await using tested = await testedHost()
    const { runtime } = tested
    const group = join(groups ?? '', `vedette-counters-${process.pid}`)
    mkdirSync(group)
    try {
      const files = [
        { path: join(group, 'notify_on_release'), wanted: [first] },
        { path: join(group, 'cgroup.procs'), wanted: [first] },
      ]
      await runtime.countersOpen(1, { processFolder: '/proc/self', files })
      assert.equal((await runtime.countersRead([1]))[0]?.[1], null)
      rmdirSync(group)
      mkdirSync(group)
      assert.deepEqual(await runtime.countersRead([1]), [null])
    } finally {
      rmdirSync(group)
    }
  },
)
