import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { filesystemUsage } from './filesystem-usage.ts'

// 60 of 100 bytes are free, 10 of them reserved for root.
const facts = { totalBytes: 100, freeBytes: 60, availableBytes: 50, totalInodes: 10, freeInodes: 4 }

test('filesystemUsage computes the usage of the space available to users, and of inodes', () => {
  assert.deepEqual(filesystemUsage(facts), { totalBytes: 100, usedBytes: 40, usedPercent: (40 / 90) * 100, inodesTotal: 10, inodesUsed: 6 })
})

test('filesystemUsage omits inodes without a fixed number, and everything for a filesystem without a size', () => {
  const { totalInodes: _total, freeInodes: _free, ...others } = facts
  assert.deepEqual(filesystemUsage(others), { totalBytes: 100, usedBytes: 40, usedPercent: (40 / 90) * 100 })
  assert.equal(filesystemUsage({ totalBytes: 0, freeBytes: 0, availableBytes: 0 }), undefined)
  assert.deepEqual(filesystemUsage({ totalBytes: 100, freeBytes: 100, availableBytes: 0 }), { totalBytes: 100, usedBytes: 0 })
})

test('filesystemUsage reports a filesystem without free space for users as full, despite blocks reserved for root', () => {
  assert.equal(filesystemUsage({ totalBytes: 1000, freeBytes: 50, availableBytes: 0 })?.usedPercent, 100)
})

test('bug class 24: filesystemUsage of any values stays between zero and the total', () => {
  const bytes = fc.nat(2 ** 50)
  fc.assert(
    fc.property(fc.record({ totalBytes: bytes, freeBytes: bytes, availableBytes: bytes, totalInodes: bytes, freeInodes: bytes }), (any) => {
      for (const { usedBytes = 0, usedPercent = 0, inodesUsed = 0 } of [filesystemUsage(any) ?? {}]) {
        assert.ok(usedBytes >= 0 && usedPercent >= 0 && usedPercent <= 100 && inodesUsed >= 0)
      }
    }),
  )
})
