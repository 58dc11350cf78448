import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DefinedField, SystemNotes } from '../../api/system-notes.ts'
import { readSystem } from '../../api/system-record.ts'
import { filterSystems } from './fleet-filter.ts'
import { matchesNote, type NotedSystems } from './note-filter.ts'

const now = 1_800_000_000_000
const systems = ['mail', 'lab', 'note'].map((name) =>
  readSystem({ id: name, name, host: `${name}:45876`, status: 'up', info: { at: now } }),
)
const fields: readonly DefinedField[] = [
  { id: 'r', name: 'Rack', kind: 'text', unit: '' },
  { id: 'p', name: 'Price', kind: 'price', unit: 'EUR' },
  { id: 'd', name: 'Day of purchase', kind: 'date', unit: '' },
]
const about = (notes: string, values: Readonly<Record<string, string | number>>, url?: string): SystemNotes => ({
  id: 'n',
  notes,
  links: url === undefined ? [] : [{ name: 'Manual', url }],
  values: new Map(Object.entries(values)),
})
const noted: NotedSystems = {
  fields,
  notes: new Map([
    ['mail', about('In the Cellar', { r: 'A 7', p: 0, d: '2024-02-29' }, 'https://example.com/Mail')],
    ['lab', about('', { r: 'B', p: 1200.5, d: '2025-01-01' })],
  ]),
}
const found = (filter: string) =>
  filterSystems(systems, filter, now, (systemId, part) => matchesNote(noted, systemId, part)).map(({ name }) => name)

test('a part with the name of a defined field filters by its value', () => {
  for (const [filter, names] of [
    ['rack:a', ['mail']],
    ['RACK:"a 7"', ['mail']],
    ['rack:c', []],
    ['rack:a lab', []],
    ['price:0', ['mail']],
    ['price:>0', ['lab']],
    ['price:>=0', ['mail', 'lab']],
    ['price:<1200,5', ['mail']],
    ['price:<=1200.5', ['mail', 'lab']],
    ['price:much', []],
    ['"day of purchase":2024', ['mail']],
    ['"day of purchase:>2024"', ['lab']],
    ['"day of purchase:>=2024-02"', ['mail', 'lab']],
    ['"day of purchase:<2024-03-01"', ['mail']],
    ['note:cellar', ['mail']],
    ['note:manual', ['mail']],
    ['note:example.com/mail', ['mail']],
    ['note:rack', []],
  ] as const)
    assert.deepEqual(found(filter), names, filter)
})

test('a half-typed part selects each system, and another name with a colon is a word', () => {
  for (const filter of ['rack:', 'price:>', 'note:']) assert.deepEqual(found(filter), ['mail', 'lab', 'note'], filter)
  assert.deepEqual(found('lab:45'), ['lab'])
  assert.deepEqual(
    filterSystems(systems, 'lab:45', now).map(({ name }) => name),
    ['lab'],
  )
  assert.deepEqual(found('constructor:x'), [])
  assert.deepEqual(found(':x'), [])
})
