import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrayStatus, type ArrayState } from './kernel-health.ts'

const well: ArrayState = {
  state: 'clean',
  level: 'raid1',
  layout: 0,
  syncAction: 'idle',
  disks: 2,
  degraded: 0,
  mismatches: 0,
  members: ['in_sync', 'in_sync'],
}

for (const [what, change, status] of [
  ['that is healthy', {}, 'PASSED'],
  ['that is written to', { state: 'active' }, 'PASSED'],
  ['that reports no redundancy', { syncAction: undefined, degraded: undefined, mismatches: undefined }, 'PASSED'],
  ['under its routine check', { syncAction: 'check', mismatches: 256 }, 'PASSED'],
  ['with a spare', { members: ['in_sync', 'in_sync', 'spare'] }, 'PASSED'],
  ['with read-mostly members', { members: ['in_sync,write_mostly', 'in_sync'] }, 'PASSED'],
  ['that is being rebuilt', { syncAction: 'recover', degraded: 1 }, 'WARNING'],
  ['that is being synced for the first time', { syncAction: 'resync' }, 'WARNING'],
  ['that is being reshaped', { syncAction: 'reshape' }, 'WARNING'],
  ['with mismatches after a check', { mismatches: 8 }, 'WARNING'],
  ['under repair', { syncAction: 'repair' }, 'WARNING'],
  ['that lost a member', { degraded: 1, members: ['in_sync'] }, 'FAILED'],
  ['with a faulty member', { members: ['in_sync', 'faulty'] }, 'FAILED'],
  ['whose spare replaced a faulty member', { members: ['in_sync', 'in_sync', 'faulty'] }, 'WARNING'],
  ['with a faulty member that is not counted yet', { degraded: undefined, members: ['in_sync', 'faulty'] }, 'FAILED'],
  ['of a storage box with 32 slots for 4 disks', { disks: 32, degraded: 28 }, 'WARNING'],
  ['of a storage box with 12 slots for 1 disk', { disks: 12, degraded: 11, members: ['in_sync'] }, 'WARNING'],
  ['that does not run', { state: 'inactive' }, 'FAILED'],
  ['in an unknown state', { state: 'odd' }, 'UNKNOWN'],
] as const) {
  test(`bug class 16: arrayStatus of an array ${what} is ${status}`, () => {
    assert.equal(arrayStatus({ ...well, ...change }), status)
  })
}

for (const [level, layout, disks, lost, status] of [
  ['raid1', 0, 3, 1, 'WARNING'],
  ['raid1', 0, 3, 2, 'FAILED'],
  ['raid1', 0, 4, 2, 'WARNING'],
  ['raid1', 0, 4, 3, 'FAILED'],
  ['raid4', 0, 4, 1, 'FAILED'],
  ['raid5', 2, 8, 1, 'FAILED'],
  ['raid6', 2, 8, 1, 'WARNING'],
  ['raid6', 2, 8, 2, 'FAILED'],
  ['raid6', 2, 4, 3, 'FAILED'],
  ['raid0', 0, 2, 1, 'FAILED'],
  ['linear', 0, 2, 1, 'FAILED'],
  // Layouts in this order: two near copies; three; two near and two far copies; an old kernel that reports no layout.
  ['raid10', 0x102, 4, 1, 'FAILED'],
  ['raid10', 0x103, 6, 1, 'WARNING'],
  ['raid10', 0x103, 6, 2, 'FAILED'],
  ['raid10', 0x202, 4, 2, 'WARNING'],
  ['raid10', undefined, 4, 1, 'FAILED'],
  [undefined, undefined, 4, 1, 'FAILED'],
] as const) {
  test(`bug class 16: arrayStatus of ${level ?? 'an unknown level'} (layout ${layout}) with ${disks} disks, ${lost} of them lost, is ${status}`, () => {
    const members = Array.from({ length: disks - lost }, () => 'in_sync')
    assert.equal(arrayStatus({ ...well, level, layout, disks, degraded: lost, members }), status)
    // A failed disk stays in the list until it is removed.
    assert.equal(arrayStatus({ ...well, level, layout, disks, degraded: lost, members: [...members, 'faulty'] }), status)
  })
}
