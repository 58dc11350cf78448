import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchScore, recentFirst, type PaletteEntry } from './palette-model.ts'

const entry = (id: string, group: PaletteEntry['group']): PaletteEntry => ({
  id,
  group,
  label: id,
  keywords: [],
  action: { kind: 'open', href: '/' },
})
const home = entry('home', 'page')
const atlas = entry('atlas', 'system')
const nas = entry('nas', 'system')

test('recentFirst takes what was opened lately out of its group, newest first', () => {
  const { recent, groups } = recentFirst([home, atlas, nas], ['nas', 'gone', 'home'])
  assert.deepEqual(recent, [nas, home])
  assert.deepEqual(groups, { page: [], system: [atlas], theme: [], admin: [] })
})

test('matchScore ranks a start before a middle, the name before the host, and no match last', () => {
  const scores = [['db-1'], ['mydb'], ['atlas', 'db.example.org'], ['atlas', 'my-db'], ['atlas', '10.0.0.1']].map((keywords) =>
    matchScore(keywords, 'DB'),
  )
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  assert.equal(scores.at(-1), 0)
})
