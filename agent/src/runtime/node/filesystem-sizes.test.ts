import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { test } from 'node:test'
import type { FilesystemFacts } from '../runtime.ts'
import { filesystemSizes, systemSizes } from './filesystem-sizes.ts'

const MOUNTS = `1 0 8:1 / / rw - ext4 /dev/sda1 rw
2 1 0:40 / /mnt/nas rw - nfs4 nas:/films rw
3 1 0:41 / /mnt/cloud rw - fuse.sshfs cloud: rw
4 1 0:42 / /mnt/other rw - cifs //other/x rw
`
const size = (totalBytes: number): FilesystemFacts => ({ totalBytes, freeBytes: 1, availableBytes: 1 })

/** Mounts whose servers respond under the control of the test. */
function network(mountInfo: string | null = MOUNTS) {
  let nowMs = 0
  const asked: string[] = []
  const answers: ((facts: FilesystemFacts | null) => void)[] = []
  const sizes = filesystemSizes({
    mountInfo: () => mountInfo,
    readLink: (path) => (path === '/films' ? '/mnt/nas' : null),
    atOnce: () => size(8),
    offTheLoop: (path) => {
      asked.push(path)
      return new Promise((resolve) => answers.push(resolve))
    },
    nowMs: () => nowMs,
  })
  return {
    statfs: sizes.of,
    isWaiting: sizes.isWaiting,
    asked,
    pass: (ms: number) => {
      nowMs += ms
    },
    answer: async (facts: FilesystemFacts | null) => {
      answers.shift()?.(facts)
      await new Promise((resolve) => void setImmediate(resolve))
    },
  }
}

test('filesystemSizes reads local filesystems synchronously, and all filesystems when the mount table is unavailable', () => {
  const { statfs, asked } = network()
  assert.deepEqual(statfs('/'), size(8))
  assert.deepEqual(network(null).statfs('/mnt/nas'), size(8))
  assert.deepEqual(asked, [])
})

test('filesystemSizes returns the last size of a network mount at once, and reads it again in the background', async () => {
  const { statfs, asked, answer, isWaiting } = network()
  assert.equal(statfs('/mnt/nas'), null)
  assert.ok(isWaiting())
  await answer(size(100))
  assert.ok(!isWaiting())
  assert.deepEqual(statfs('/mnt/nas'), size(100))
  await answer(size(200))
  assert.deepEqual(statfs('/mnt/nas/a'), null)
  assert.deepEqual(statfs('/mnt/nas'), size(200))
  assert.deepEqual(asked, ['/mnt/nas', '/mnt/nas', '/mnt/nas/a', '/mnt/nas'])
})

test('filesystemSizes reads a dead mount once, and drops its last size after 150 s', async () => {
  const { statfs, asked, answer, pass } = network()
  statfs('/mnt/nas')
  await answer(size(100))
  for (let poll = 0; poll < 3; poll++) {
    assert.deepEqual(statfs('/mnt/nas'), size(100))
    pass(50_000)
  }
  pass(1)
  assert.equal(statfs('/mnt/nas'), null)
  assert.equal(asked.length, 2)
})

test('filesystemSizes reports a removed mount as soon as its read returns', async () => {
  const { statfs, answer } = network()
  statfs('/mnt/nas')
  await answer(size(100))
  statfs('/mnt/nas')
  await answer(null)
  assert.equal(statfs('/mnt/nas'), null)
})

test('filesystemSizes has at most two reads of mounts pending', async () => {
  const { statfs, asked, answer } = network()
  for (const path of ['/mnt/nas', '/mnt/cloud', '/mnt/other']) statfs(path)
  assert.deepEqual(asked, ['/mnt/nas', '/mnt/cloud'])
  await answer(null)
  statfs('/mnt/other')
  assert.deepEqual(asked, ['/mnt/nas', '/mnt/cloud', '/mnt/other'])
})

test('systemSizes reports inodes only for a filesystem with a fixed number of inodes', () => {
  const { files } = statfsSync('/')
  const facts = systemSizes.atOnce('/')
  assert.equal(facts?.totalInodes, files === 0 ? undefined : files)
  assert.ok((facts?.freeInodes ?? 0) <= files)
  assert.deepEqual(Object.keys(systemSizes.atOnce('/proc') ?? {}), ['totalBytes', 'freeBytes', 'availableBytes'])
})

test('filesystemSizes reads the mount table at most every five seconds', () => {
  let nowMs = 0
  let looks = 0
  const sizes = filesystemSizes({
    mountInfo: () => (looks++, MOUNTS),
    readLink: (path) => (path === '/films' ? '/mnt/nas' : null),
    atOnce: () => size(8),
    offTheLoop: () => Promise.resolve(null),
    nowMs: () => nowMs,
  })
  for (nowMs = 0; nowMs <= 10_002; nowMs += 5001) for (const path of ['/', '/a', '/b']) sizes.of(path)
  assert.equal(looks, 3)
})
