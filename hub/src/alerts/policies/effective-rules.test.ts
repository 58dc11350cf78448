import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WarningLevel } from '../judging/judgement.ts'
import { effectiveRules } from './effective-rules.ts'
import { policyOf, type Policy, type PolicyScope } from './policy.ts'

const policy = (id: string, scope: PolicyScope, of: string, values: Policy['values']): Policy => ({
  id,
  owner: 'ann',
  scope,
  of,
  name: 'CPU',
  target: '',
  values,
})

const everything = policy('p1', 'everything', '', { threshold: 90, minutes: 15 })
const prod = policy('p2', 'tag', 'env=prod', { threshold: 70 })
const home = policy('p3', 'tag', 'home', { threshold: 60, off: true })
const web = policy('p4', 'system', 'web', { minutes: 2, off: false })

const cases: readonly {
  readonly title: string
  readonly policies: readonly Policy[]
  readonly tags: readonly string[]
  readonly expected: object[]
}[] = [
  { title: 'no policy', policies: [], tags: ['env=prod'], expected: [] },
  { title: 'a policy of another tag', policies: [prod], tags: ['home'], expected: [] },
  {
    title: 'standard values where no policy has one',
    policies: [prod],
    tags: ['env=prod'],
    expected: [{ isOff: false, threshold: 70, minutes: 10, from: ['standard', 'p2', 'standard'] }],
  },
  {
    title: 'each value from the nearest policy',
    policies: [everything, prod, web],
    tags: ['env=prod'],
    expected: [{ isOff: false, threshold: 70, minutes: 2, from: ['p4', 'p2', 'p4'] }],
  },
  {
    title: 'two tags in alphabetical order, whatever the order of their policies',
    policies: [home, everything, prod],
    tags: ['home', 'env=prod'],
    expected: [{ isOff: true, threshold: 70, minutes: 15, from: ['p3', 'p2', 'p1'] }],
  },
]

for (const { title, policies, tags, expected } of cases)
  test(`effective rules: ${title}`, () => {
    const rules = effectiveRules(policies, { id: 'web', tags }).map(({ isOff, threshold, minutes, sources }) => ({
      isOff,
      threshold,
      minutes,
      from: [sources.off, sources.threshold, sources.minutes].map((source) => ('policy' in source ? source.policy : source.scope)),
    }))
    assert.deepEqual(rules, expected)
  })

test('a policy with values that this version cannot read inherits those, and keeps the others', () => {
  const record = { id: 'p', user: 'ann', name: 'CPU', tag: 'a', values: { threshold: '80', minutes: 5, escalate: true } }
  assert.deepEqual(policyOf(record).values, { minutes: 5 })
  assert.deepEqual(policyOf({ ...record, values: [] }).values, {})
})

const warningCases: readonly (readonly [string, readonly Policy[], WarningLevel | undefined])[] = [
  ['no policy sets it', [everything], undefined],
  [
    'its minutes are those of the threshold',
    [policy('a', 'everything', '', { threshold: 90, minutes: 5, warning: 70 })],
    { threshold: 70, minutes: 5 },
  ],
  [
    'each value comes from the nearest policy',
    [policy('a', 'everything', '', { threshold: 90, warning: 70, warningMinutes: 15 }), policy('b', 'system', 'web', { warning: 80 })],
    { threshold: 80, minutes: 15 },
  ],
  ['it is as high as the threshold', [policy('a', 'everything', '', { threshold: 90, warning: 90 })], undefined],
  ['the rule is a warning itself', [policy('a', 'everything', '', { threshold: 90, warning: 70, severity: 'warning' })], undefined],
  [
    'the own alert is nearer',
    [policy('a', 'own', 'web', { off: false, threshold: 90, minutes: 1 }), policy('b', 'everything', '', { warning: 50 })],
    undefined,
  ],
  [
    'the kind fires below its threshold',
    [{ ...policy('a', 'everything', '', { threshold: 20, minutes: 1, warning: 30 }), name: 'Battery' }],
    { threshold: 30, minutes: 1 },
  ],
  ['the kind has no threshold', [{ ...policy('a', 'everything', '', { warning: 10 }), name: 'Status' }], undefined],
]

for (const [title, policies, expected] of warningCases)
  test(`the first of two thresholds of an alert: ${title}`, () => {
    const [rule] = effectiveRules(policies, { id: 'web', tags: [] })
    assert.deepEqual([rule?.warning, rule?.sources.warning === undefined], [expected, expected === undefined])
  })

test('a threshold to resolve that is not on the good side of the first threshold has no effect', () => {
  const clearOf = (clear: number) =>
    effectiveRules([policy('a', 'everything', '', { threshold: 90, warning: 70, clear })], { id: 'web', tags: [] })[0]?.clear
  assert.deepEqual([80, 70, 60].map(clearOf), [undefined, undefined, 60])
})

const clearCases: readonly (readonly [string, readonly Policy[], number | undefined])[] = [
  ['no policy sets it', [everything], undefined],
  [
    'the nearest policy sets it',
    [policy('a', 'everything', '', { threshold: 90, clear: 80 }), policy('b', 'system', 'web', { clear: 70 })],
    70,
  ],
  ['it is as high as the threshold', [policy('a', 'everything', '', { threshold: 90, clear: 90 })], undefined],
  [
    'a nearer threshold is below it',
    [policy('a', 'everything', '', { threshold: 90, clear: 80 }), policy('b', 'system', 'web', { threshold: 60 })],
    undefined,
  ],
  [
    'the own alert is nearer',
    [policy('a', 'own', 'web', { off: false, threshold: 90, minutes: 1 }), policy('b', 'everything', '', { clear: 50 })],
    undefined,
  ],
  ['the kind fires below its threshold', [{ ...policy('a', 'everything', '', { threshold: 20, clear: 30 }), name: 'Battery' }], 30],
  [
    'the kind fires below its threshold, and it is lower',
    [{ ...policy('a', 'everything', '', { threshold: 20, clear: 10 }), name: 'Battery' }],
    undefined,
  ],
  ['the kind has no threshold', [{ ...policy('a', 'everything', '', { clear: 10 }), name: 'Status' }], undefined],
]

for (const [title, policies, expected] of clearCases)
  test(`the threshold at which an alert resolves: ${title}`, () => {
    const [rule] = effectiveRules(policies, { id: 'web', tags: [] })
    assert.deepEqual([rule?.clear, rule?.sources.clear === undefined], [expected, expected === undefined])
  })
