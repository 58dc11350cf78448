import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { downUpstream, upstreamProblem, upstreamsIn, type ConnectedSystem } from './upstream.ts'

/** Systems by id; the id is also the name. */
type Upstreams = Readonly<Record<string, readonly string[]>>

function causeOf(id: string, systems: Upstreams, down: readonly string[]): string | undefined {
  const nodes = Object.entries(systems).map(([name, upstreams]): ConnectedSystem => ({ id: name, upstreams }))
  const byName = new Map(nodes.map((node) => [node.id, [node]]))
  return downUpstream({ id, upstreams: systems[id] ?? [] }, { byName, isDown: (one) => down.includes(one) })
}

const cases: readonly { readonly what: string; readonly systems: Upstreams; readonly down: readonly string[]; readonly cause?: string }[] =
  [
    { what: 'no upstream', systems: { a: [] }, down: ['a'] },
    { what: 'an upstream that is up', systems: { a: ['r'], r: [] }, down: ['a'] },
    { what: 'an upstream that is down', systems: { a: ['r'], r: [] }, down: ['a', 'r'], cause: 'r' },
    { what: 'a chain: the farthest that is down', systems: { a: ['r'], r: ['core'], core: [] }, down: ['a', 'r', 'core'], cause: 'core' },
    { what: 'a chain whose end is up', systems: { a: ['r'], r: ['core'], core: [] }, down: ['a', 'r'], cause: 'r' },
    { what: 'two ways, one of them up', systems: { a: ['r1', 'r2'], r1: [], r2: [] }, down: ['a', 'r1'] },
    { what: 'two ways, both down', systems: { a: ['r1', 'r2'], r1: [], r2: [] }, down: ['a', 'r1', 'r2'], cause: 'r1' },
    { what: 'two ways over one core', systems: { a: ['r1', 'r2'], r1: ['c'], r2: ['c'], c: [] }, down: ['a', 'r1', 'r2', 'c'], cause: 'c' },
    { what: 'a name that no system has', systems: { a: ['gone'] }, down: ['a', 'gone'] },
    { what: 'two ways, one with an unknown name', systems: { a: ['r', 'gone'], r: [] }, down: ['a', 'r', 'gone'] },
    { what: 'behind itself', systems: { a: ['a'] }, down: ['a'] },
    { what: 'two behind each other', systems: { a: ['b'], b: ['a'] }, down: ['a', 'b'] },
    { what: 'behind a circle', systems: { a: ['b'], b: ['c'], c: ['b'] }, down: ['a', 'b', 'c'] },
    { what: 'one way into a circle', systems: { a: ['r', 'b'], r: [], b: ['a'] }, down: ['a', 'r', 'b'] },
  ]

for (const { what, systems, down, cause } of cases)
  test(`the system that cuts off another one: ${what}`, () => assert.equal(causeOf('a', systems, down), cause))

test('several systems with the name of an upstream must all be down', () => {
  const byName = new Map([
    [
      'r',
      [
        { id: 'r1', upstreams: [] },
        { id: 'r2', upstreams: [] },
      ],
    ],
  ])
  const causeWith = (down: readonly string[]) => downUpstream({ id: 'a', upstreams: ['r'] }, { byName, isDown: (id) => down.includes(id) })
  assert.deepEqual([causeWith(['r1']), causeWith(['r1', 'r2'])], [undefined, 'r1'])
})

test('a cause is down, is never the system itself, and has no cause of its own', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const upstreams = fc.uniqueArray(fc.constantFrom(...names, 'gone'), { maxLength: 2 })
  fc.assert(
    fc.property(fc.tuple(upstreams, upstreams, upstreams, upstreams, upstreams), fc.subarray(names), (all, down) => {
      const systems = Object.fromEntries(names.map((name, at) => [name, all[at] ?? []]))
      for (const name of names) {
        const cause = causeOf(name, systems, down)
        if (cause === undefined) continue
        assert.ok(down.includes(cause) && cause !== name)
        assert.equal(causeOf(cause, systems, down), undefined)
      }
    }),
  )
})

test('the tag behind=NAME names an upstream', () => {
  assert.deepEqual(upstreamsIn(['behind=router-1', 'env=prod', 'behind=', 'behind', 'behind=a=b']), ['router-1', 'a=b'])
})

test('an upstream without a system, or with a circle above it, is a problem', () => {
  const systems: Upstreams = { a: ['r'], r: ['core'], core: [], b: ['c'], c: ['b'], d: ['b'], e: ['r', 'core'] }
  const byName = new Map(Object.entries(systems).map(([id, upstreams]) => [id, [{ id, upstreams }]]))
  const names = ['r', 'core', 'e', 'b', 'c', 'd', 'gone']
  const problems = names.map((name) => [name, upstreamProblem(name, byName)])
  assert.deepEqual(problems, [
    ['r', undefined],
    ['core', undefined],
    ['e', undefined],
    ['b', 'circle'],
    ['c', 'circle'],
    ['d', 'circle'],
    ['gone', 'unknown'],
  ])
})
