import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DefinedField, SystemNotes } from '../../../api/system-notes.ts'
import { noEdits, withEdits } from './note-edits.ts'

const fields: readonly DefinedField[] = ['rack', 'room'].map((id) => ({ id, name: id, kind: 'text', unit: '' }))
const saved: SystemNotes = {
  id: 'n1',
  notes: 'old',
  links: [{ name: '', url: 'https://example.com' }],
  values: new Map([
    ['rack', '7'],
    ['gone', 'kept by the hub'],
  ]),
}

test('withEdits: parts without edits follow the saved notes, also the id of a record that someone else created', () => {
  assert.deepEqual(withEdits(saved, noEdits, fields), saved)
  assert.deepEqual(withEdits({ ...saved, id: undefined }, { ...noEdits, notes: 'typed' }, fields), {
    ...saved,
    id: undefined,
    notes: 'typed',
  })
  assert.deepEqual(withEdits(saved, { ...noEdits, notes: '' }, fields).notes, '')
})

test('withEdits: values are merged one by one, and those of deleted fields are left out', () => {
  const values = new Map([
    ['rack', undefined],
    ['room', 'B 12'],
    ['deleted', 'typed'],
  ])
  const merged = withEdits(saved, { values }, fields)
  assert.deepEqual(
    [...merged.values],
    [
      ['gone', 'kept by the hub'],
      ['room', 'B 12'],
    ],
  )
  assert.equal(merged.links, saved.links)
})
