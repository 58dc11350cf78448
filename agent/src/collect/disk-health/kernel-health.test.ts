import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrayStatus, type ArrayState } from './kernel-health.ts'

const well: ArrayState = { state: 'clean', syncAction: 'idle', disks: 2, degraded: 0, mismatches: 0, members: ['in_sync', 'in_sync'] }

for (const [what, change, status] of [
  ['that is well', {}, 'PASSED'],
  ['that is written to', { state: 'active' }, 'PASSED'],
  ['that tells no redundancy at all', { syncAction: undefined, degraded: undefined, mismatches: undefined }, 'PASSED'],
  ['under its routine check', { syncAction: 'check', mismatches: 256 }, 'PASSED'],
  ['with a spare', { members: ['in_sync', 'in_sync', 'spare'] }, 'PASSED'],
  ['with read-mostly members', { members: ['in_sync,write_mostly', 'in_sync'] }, 'PASSED'],
  ['that is rebuilt', { syncAction: 'recover', degraded: 1 }, 'WARNING'],
  ['that is made whole the first time', { syncAction: 'resync' }, 'WARNING'],
  ['that is reshaped', { syncAction: 'reshape' }, 'WARNING'],
  ['with mismatches after a check', { mismatches: 8 }, 'WARNING'],
  ['under repair', { syncAction: 'repair' }, 'WARNING'],
  ['that lost a member', { degraded: 1, members: ['in_sync'] }, 'FAILED'],
  ['with a faulty member', { members: ['in_sync', 'faulty'] }, 'FAILED'],
  ['of a storage box with 32 slots for 4 disks', { disks: 32, degraded: 28 }, 'WARNING'],
  ['that does not run', { state: 'inactive' }, 'FAILED'],
  ['in a state nobody knows', { state: 'odd' }, 'UNKNOWN'],
] as const) {
  test(`bug class 16: arrayStatus of an array ${what} is ${status}`, () => {
    assert.equal(arrayStatus({ ...well, ...change }), status)
  })
}
