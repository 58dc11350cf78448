import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DefinedField, SystemNotes } from '../../../api/system-notes.ts'
import { editedParts, editLinks, editNotes, editValue, noEdits, replacesOthers, withEdits, type NoteEdits } from './note-edits.ts'

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
  assert.deepEqual(withEdits({ ...saved, id: undefined }, editNotes(noEdits, saved, 'typed'), fields), {
    ...saved,
    id: undefined,
    notes: 'typed',
  })
  assert.deepEqual(withEdits(saved, editNotes(noEdits, saved, ''), fields).notes, '')
})

const valuesEdited = (values: readonly (readonly [id: string, to: string | undefined])[]): NoteEdits =>
  values.reduce((edits, [id, to]) => editValue(edits, saved, { id, to }), noEdits)

test('withEdits: values are merged one by one, and those of deleted fields are left out', () => {
  const edited = valuesEdited([
    ['rack', undefined],
    ['room', 'B 12'],
    ['deleted', 'typed'],
  ])
  const merged = withEdits(saved, edited, fields)
  assert.deepEqual(
    [...merged.values],
    [
      ['gone', 'kept by the hub'],
      ['room', 'B 12'],
    ],
  )
  assert.equal(merged.links, saved.links)
})

test('editedParts: only edited parts are saved, and a changed value takes the other values with it', () => {
  assert.deepEqual(editedParts(saved, noEdits, fields), {})
  assert.deepEqual(editedParts(saved, editNotes(noEdits, saved, ''), fields), { notes: '' })
  assert.deepEqual(editedParts(saved, editLinks(noEdits, saved, []), fields), { links: [] })
  assert.deepEqual(editedParts(saved, valuesEdited([['rack', '8']]), fields), {
    values: new Map([
      ['rack', '8'],
      ['gone', 'kept by the hub'],
    ]),
  })
})

test('replacesOthers: an edited part that someone else changed after the first edit, with another result', () => {
  const typed = editNotes(noEdits, saved, 'typed')
  const others = { ...saved, notes: 'by others' }
  assert.ok(!replacesOthers(saved, typed))
  assert.ok(replacesOthers(others, typed))
  assert.ok(replacesOthers(others, editNotes(typed, others, 'typed more')), 'a later edit does not accept the change')
  assert.ok(!replacesOthers({ ...saved, notes: 'typed' }, typed), 'both wrote the same')
  assert.ok(!replacesOthers(others, editNotes(noEdits, others, 'typed')), 'a change before the first edit was seen')
  assert.ok(!replacesOthers(others, editLinks(noEdits, saved, [])), 'a part without edits')
  assert.ok(replacesOthers({ ...saved, links: [] }, editLinks(noEdits, saved, [{ name: 'a', url: 'https://a.example.com' }])))
  const [rack, room] = [valuesEdited([['rack', undefined]]), valuesEdited([['room', 'B 12']])]
  const moved = { ...saved, values: new Map([['rack', '9']]) }
  assert.deepEqual([replacesOthers(moved, rack), replacesOthers(moved, room), replacesOthers(saved, rack)], [true, false, false])
  assert.ok(!replacesOthers({ ...saved, values: new Map() }, rack), 'both removed the value')
})
