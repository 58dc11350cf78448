import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBackupName, nameAt, surplus } from './backup-folder.ts'

test('isBackupName accepts names of other hubs and refuses names with paths', () => {
  for (const name of ['monday.zip', 'a-b_9.zip', nameAt(0, 'person'), nameAt(0, 'schedule'), nameAt(0, 'upgrade')])
    assert.ok(isBackupName(name), name)
  for (const name of ['', '.zip', 'Monday.zip', '../a.zip', 'a/b.zip', 'a.zip.exe', 'a b.zip', `${'a'.repeat(150)}.zip`])
    assert.ok(!isBackupName(name), name)
})

test('surplus returns the oldest backups of its reason only', () => {
  const file = (name: string, modifiedAtMs: number) => ({ name, bytes: 1, modifiedAtMs })
  const files = [file('monday.zip', 1), ...[5, 3, 4, 2].map((day) => file(nameAt(day * 86_400_000, 'schedule'), day * 86_400_000))]
  assert.deepEqual(surplus(files, { by: 'schedule', most: 2 }), [nameAt(3 * 86_400_000, 'schedule'), nameAt(2 * 86_400_000, 'schedule')])
  assert.deepEqual(surplus(files, { by: 'schedule', most: 9 }), [])
  assert.deepEqual(surplus(files, { by: 'upgrade', most: 0 }), [])
  const copies = [1, 2].map((day) => file(nameAt(day * 86_400_000, 'upgrade'), day * 86_400_000))
  const byHand = ['before_upgrade_to_0-2-0.zip', 'before-upgrade.zip', 'before_upgrade_to_0-2-0_20261121063000-old.zip']
  const all = [...files, ...copies, ...byHand.map((name) => file(name, 0))]
  assert.deepEqual(surplus(all, { by: 'upgrade', most: 1 }), [nameAt(86_400_000, 'upgrade')])
})
