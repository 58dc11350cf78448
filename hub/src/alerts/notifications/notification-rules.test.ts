import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { channelsByRules, notificationRulesProblem, type MessageFacts } from './notification-rules.ts'

const noon: MessageFacts = { tags: ['env=prod'], severity: 'critical', minute: 720 }
const rule = (limits: object) => [{ ...limits, channels: ['pager'] }]

const cases: readonly (readonly [what: string, limits: object, facts: Partial<MessageFacts>, isMatch: boolean])[] = [
  ['a rule without limits matches', {}, {}, true],
  ['the tag must be one of the system', { tag: 'env=prod' }, {}, true],
  ['a system without the tag does not match', { tag: 'env=prod' }, { tags: ['env=lab'] }, false],
  ['the severity must be equal', { severity: 'critical' }, {}, true],
  ['another severity does not match', { severity: 'critical' }, { severity: 'warning' }, false],
  ['the start of the hours is in them', { from: '12:00', to: '13:00' }, {}, true],
  ['the end of the hours is not', { from: '11:00', to: '12:00' }, {}, false],
  ['hours over midnight include the evening', { from: '22:00', to: '06:00' }, { minute: 1330 }, true],
  ['hours over midnight include the morning', { from: '22:00', to: '06:00' }, { minute: 359 }, true],
  ['hours over midnight do not include noon', { from: '22:00', to: '06:00' }, {}, false],
  ['equal ends are the whole day', { from: '08:00', to: '08:00' }, {}, true],
  ['all limits must match', { tag: 'env=prod', severity: 'warning' }, {}, false],
]

for (const [what, limits, facts, isMatch] of cases)
  test(`channelsByRules: ${what}`, () =>
    assert.deepEqual(channelsByRules(rule(limits), { ...noon, ...facts }), isMatch ? ['pager'] : undefined))

test('channelsByRules: the first rule that matches decides, also one without channels', () => {
  const rules = [{ severity: 'warning' as const, channels: [] }, { tag: 'env=prod', channels: ['pager'] }, { channels: ['mail'] }]
  assert.deepEqual(channelsByRules(rules, noon), ['pager'])
  assert.deepEqual(channelsByRules(rules, { ...noon, severity: 'warning' }), [])
  assert.deepEqual(channelsByRules(rules, { ...noon, tags: [] }), ['mail'])
  assert.equal(channelsByRules([], noon), undefined)
})

test('notificationRulesProblem names the first value that is wrong', () => {
  const valid = { channels: ['a'], tag: 'env=prod', severity: 'warning', from: '22:00', to: '06:00' }
  assert.equal(notificationRulesProblem({ notificationRules: [valid] }), undefined)
  assert.equal(notificationRulesProblem({}), undefined)
  for (const [wrong, place] of [
    [{}, 'notificationRules'],
    [[{ ...valid, severity: 'fatal' }], 'notificationRules.0.severity'],
    [[{ ...valid, from: '24:00' }], 'notificationRules.0.from'],
    [[{ ...valid, to: undefined }], 'notificationRules.0'],
    [[valid, { ...valid, channels: 'a' }], 'notificationRules.1.channels'],
    [[{ ...valid, tag: '' }], 'notificationRules.0.tag'],
    [[{ ...valid, more: 1 }], 'notificationRules.0'],
    [Array.from({ length: 51 }, () => valid), 'notificationRules'],
  ] as const)
    assert.match(
      notificationRulesProblem(JSON.parse(JSON.stringify({ notificationRules: wrong }))) ?? '',
      new RegExp(`^"${place}" is wrong: `),
    )
})

test('notificationRulesProblem accepts or refuses any JSON without an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (notificationRules) => void notificationRulesProblem(JSON.parse(JSON.stringify({ notificationRules })))),
  )
})
