import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSystem } from '../../api/system-record.ts'
import { alertNamesOf, columnsWithData, nextSort, oldSecondsOf, parseSort, sortSystems, sortText } from './fleet-model.ts'

const now = 1_800_000_000_000
const system = (name: string, status: string, info: object = {}) =>
  readSystem({ id: name, name, host: `${name}.example.org`, status, info: { at: now, ...info } })

const mail = system('mail', 'up', { cpu: 3 })
const atlas = system('atlas', 'up', { cpu: 90, dt: 52 })
const edge = system('edge', 'down', { cpu: 12 })
const nas = system('nas', 'up', { cpu: 4, at: now - 200_000 })
const lab = system('lab', 'paused')
const fleet = [mail, lab, atlas, nas, edge]
const names = (systems: readonly { readonly name: string }[]) => systems.map(({ name }) => name)

test('sortSystems sorts systems with problems first, then by name', () => {
  assert.deepEqual(names(sortSystems(fleet, undefined, now)), ['edge', 'nas', 'atlas', 'lab', 'mail'])
})

test('sortSystems by a column puts unknown values last in both directions', () => {
  assert.deepEqual(names(sortSystems(fleet, { column: 'cpu', descending: true }, now)), ['atlas', 'edge', 'nas', 'mail', 'lab'])
  assert.deepEqual(names(sortSystems(fleet, { column: 'cpu', descending: false }, now)), ['mail', 'nas', 'edge', 'atlas', 'lab'])
})

test('oldSecondsOf returns the columns whose reading is older than the sample', () => {
  const { latest } = system('atlas', 'up', { cpu: 90, mp: 5, old: { memory: 90, swap: 90 } })
  assert.deepEqual([oldSecondsOf(latest, 'memory'), oldSecondsOf(latest, 'cpu'), oldSecondsOf(latest, 'agent')], [90, undefined, undefined])
})

test('sortSystems compares numbers in names: host-2 before host-10', () => {
  assert.deepEqual(names(sortSystems([system('host-10', 'up'), system('host-2', 'up')], undefined, now)), ['host-2', 'host-10'])
})

test('sortSystems by tags compares their texts, and puts systems without tags last', () => {
  const tagged = (name: string, ...tags: readonly string[]) => readSystem({ id: name, name, tags })
  const systems = [
    tagged('none'),
    tagged('two', 'env=prod', 'rack=10'),
    tagged('one', 'env=prod'),
    tagged('three', 'db'),
    tagged('four', 'env=prod', 'rack=2'),
  ]
  assert.deepEqual(names(sortSystems(systems, { column: 'tags', descending: false }, now)), ['three', 'one', 'four', 'two', 'none'])
  assert.deepEqual(names(sortSystems(systems, { column: 'tags', descending: true }, now)), ['two', 'four', 'one', 'three', 'none'])
})

test('columnsWithData omits a column that is empty in every row', () => {
  assert.deepEqual(columnsWithData(fleet), ['system', 'cpu', 'temperature'])
  assert.deepEqual(columnsWithData([readSystem({ id: 'a', tags: ['db'] })]), ['system', 'tags', 'cpu'])
})

test('nextSort cycles through one direction, the other direction and no sorting', () => {
  const first = nextSort(undefined, 'cpu')
  const second = nextSort(first, 'cpu')
  assert.deepEqual(
    [first, second, nextSort(second, 'cpu')],
    [{ column: 'cpu', descending: true }, { column: 'cpu', descending: false }, undefined],
  )
})

test('parseSort reads the text that sortText wrote', () => {
  const sorts = fc.record({
    column: fc.constantFrom('system', 'tags', 'cpu', 'memory', 'disk', 'load', 'uptime', 'agent'),
    descending: fc.boolean(),
  })
  fc.assert(fc.property(sorts, (sort) => assert.deepEqual(parseSort(sortText(sort)), { ...sort })))
})

for (const text of [null, '', '-', 'colour']) {
  test(`parseSort of ${JSON.stringify(text)} is no sorting`, () => assert.equal(parseSort(text), undefined))
}

test('alertNamesOf names each alert type once, even if it concerns several parts of a system', () => {
  const rule = (systemId: string, name: string) => ({ id: name, systemId, name, value: 1 })
  const rules = [rule('a', 'CPU'), rule('a', 'Container'), rule('b', 'Status'), rule('a', 'Container')]
  assert.deepEqual(
    [...alertNamesOf(rules)],
    [
      ['a', 'CPU, Container'],
      ['b', 'Status'],
    ],
  )
})
