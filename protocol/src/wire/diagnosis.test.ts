import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName } from '../../test/hostile-names.ts'
import type { Diagnosis } from '../metrics/diagnosis.ts'
import { decodeDiagnosis, encodeDiagnosis } from './diagnosis.ts'

const finding = fc.record(
  {
    name: anyName,
    state: fc.constantFrom('works' as const, 'absent' as const, 'failing' as const),
    found: fc.string(),
    skipped: fc.array(fc.record({ what: anyName, why: fc.string() }, { noNullPrototype: true })),
    error: fc.string(),
    remedy: fc.string(),
    costMs: fc.double({ min: 0, max: 1e6, noNaN: true }).map(Math.abs),
    ageMs: fc.nat(),
  },
  { requiredKeys: ['name', 'state', 'skipped'], noNullPrototype: true },
)
const diagnosis: fc.Arbitrary<Diagnosis> = fc.record(
  { agentVersion: fc.string(), takenAtMs: fc.nat(), collectors: fc.array(finding) },
  { noNullPrototype: true },
)

test('encodeDiagnosis and decodeDiagnosis round-trip any diagnosis', () => {
  fc.assert(fc.property(diagnosis, (one) => assert.deepEqual(decodeDiagnosis(encodeDiagnosis(one)), one)))
})

test('decodeDiagnosis omits invalid findings, and refuses a value that is no diagnosis', () => {
  const findings = [
    null,
    new Map([[0, 'cpu']]),
    new Map([[1, 0]]),
    new Map<number, string | number>([
      [0, 'load'],
      [1, 0],
    ]),
  ]
  const item = new Map<number, number | typeof findings>([
    [1, 5],
    [2, findings],
  ])
  assert.deepEqual(decodeDiagnosis(item), { agentVersion: '', takenAtMs: 5, collectors: [{ name: 'load', state: 'works', skipped: [] }] })
  assert.equal(decodeDiagnosis(new Map()), undefined)
  assert.equal(decodeDiagnosis(new Map([[1, 5]])), undefined)
  assert.equal(decodeDiagnosis(new Map([[2, []]])), undefined)
  assert.equal(decodeDiagnosis('no'), undefined)
})

test('decodeDiagnosis omits skipped items without a name or a reason', () => {
  const skipped = [
    new Map([[0, 'a']]),
    new Map([[1, 'why']]),
    new Map(Object.entries({ a: 'b' })),
    new Map([
      [0, 'b'],
      [1, 'why'],
    ]),
  ]
  const finding = new Map<number, string | number | typeof skipped>([
    [0, 'load'],
    [1, 2],
    [3, skipped],
  ])
  const item = new Map<number, number | string | (typeof finding)[]>([
    [0, '0.1.0'],
    [1, 5],
    [2, [finding]],
  ])
  assert.deepEqual(decodeDiagnosis(item), {
    agentVersion: '0.1.0',
    takenAtMs: 5,
    collectors: [{ name: 'load', state: 'failing', skipped: [{ what: 'b', why: 'why' }] }],
  })
})

test('encodeDiagnosis writes whole milliseconds', () => {
  assert.equal(encodeDiagnosis({ agentVersion: '', takenAtMs: 5.6, collectors: [] }).get(1), 6)
})

test('encodeDiagnosis writes no fields for missing values of a finding', () => {
  const finding = { name: 'cpu', state: 'works', skipped: [] } as const
  const collectors = encodeDiagnosis({ agentVersion: '', takenAtMs: 5, collectors: [finding] }).get(2)
  assert.deepEqual(collectors, [
    new Map<number, string | number | readonly never[]>([
      [0, 'cpu'],
      [1, 0],
      [3, []],
    ]),
  ])
})
