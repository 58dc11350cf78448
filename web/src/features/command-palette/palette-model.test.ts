import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntries, type PaletteEntry } from './palette-model.ts'

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

const groupsOf = (entries: readonly PaletteEntry[], recentIds: readonly string[], typed: string) =>
  findEntries(entries, recentIds, typed).groups.map(({ group, entries }) => [group, entries.map(({ label }) => label)])

test('findEntries moves recently opened entries out of their group, newest first', () => {
  assert.deepEqual(groupsOf([home, atlas, nas], ['nas', 'gone', 'home'], ''), [
    ['recent', ['nas', 'home']],
    ['system', ['atlas']],
  ])
})

test('findEntries ranks the start of a word before its middle, and the name before the host; non-matches are omitted', () => {
  const hosts = [
    ['atlas', '10.0.0.1'],
    ['atlas-2', 'my-db'],
    ['atlas-1', 'db.example.org'],
    ['mydb', ''],
    ['db-1', ''],
  ] as const
  const entries = hosts.map(([name, host]) => ({ ...entry(name, 'system'), keywords: [host] }))
  assert.deepEqual(groupsOf(entries, [], ' DB '), [['system', ['db-1', 'mydb', 'atlas-1', 'atlas-2']]])
})

test('findEntries puts the group of the best match first', () => {
  const theme = { ...entry('dark', 'theme'), keywords: ['theme'] }
  assert.deepEqual(groupsOf([entry('the-dark-host', 'system'), theme], [], 'dark'), [
    ['theme', ['dark']],
    ['system', ['the-dark-host']],
  ])
})

test('findEntries shows a hundred systems and the number of the others', () => {
  const entries = Array.from({ length: 5_000 }, (_, index) => entry(`web-${index}`, 'system'))
  const { groups, hiddenCount } = findEntries(entries, [], 'web')
  assert.deepEqual([groups[0]?.entries.length, hiddenCount], [100, 4_900])
  assert.deepEqual(groupsOf(entries, [], 'web-4999'), [['system', ['web-4999']]])
})

test('findEntries shows the first twenty tags, finds a tag by its value, and does not count tags as hidden systems', () => {
  const entries = Array.from({ length: 50 }, (_, index) => entry(`env=${index}`, 'tag'))
  const { groups, hiddenCount } = findEntries(entries, [], '')
  assert.deepEqual([groups[0]?.entries.length, groups[0]?.entries[0]?.label, hiddenCount], [20, 'env=0', 0])
  assert.deepEqual(groupsOf(entries, [], '=49'), [['tag', ['env=49']]])
})
