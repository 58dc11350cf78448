import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson } from '../../../protocol/test/hostile-names.ts'
import type { JsonRecord } from './json.ts'
import {
  readNotificationRules,
  withoutRule,
  withRuleAdded,
  withRuleMoved,
  withRuleReplaced,
  withRules,
  type NotificationRule,
  type RulesChange,
} from './notification-rules.ts'

const warnings = { severity: 'warning', channels: ['a@example.com'] } as const
const night = { tag: 'env=prod', from: '22:00', to: '06:00', channels: [] } as const
/** Rule of a newer hub, with a field that this dashboard does not know. */
const newer = { metric: 'CPU', channels: ['a@example.com'] } as const

const rule: NotificationRule = { tag: 'env=lab', severity: 'critical', hours: { from: '08:00', to: '17:30' }, channels: ['b@example.com'] }
const storedRule = { tag: 'env=lab', severity: 'critical', from: '08:00', to: '17:30', channels: ['b@example.com'] }

const keyAt = (settings: JsonRecord, index: number): string => {
  const key = readNotificationRules(settings)?.[index]?.key
  assert.ok(key !== undefined)
  return key
}

test('readNotificationRules reads each rule in order, and returns no rule for a value that it does not know', () => {
  const rules = readNotificationRules({ notificationRules: [warnings, night, newer] })
  assert.deepEqual(
    rules?.map((one) => one.rule),
    [
      { tag: undefined, severity: 'warning', hours: undefined, channels: ['a@example.com'] },
      { tag: 'env=prod', severity: undefined, hours: { from: '22:00', to: '06:00' }, channels: [] },
      undefined,
    ],
  )
  assert.deepEqual(readNotificationRules({}), [])
  assert.deepEqual(readNotificationRules({ notificationRules: null }), [])
  assert.equal(readNotificationRules({ notificationRules: { first: warnings } }), undefined)
})

for (const [what, stored] of [
  ['no channels', { tag: 'env=prod' }],
  ['a channel that is no text', { channels: [1] }],
  ['an empty tag', { tag: '', channels: [] }],
  ['a tag that is no text', { tag: ['env=prod'], channels: [] }],
  ['an unknown severity', { severity: 'info', channels: [] }],
  ['a start without an end', { from: '22:00', channels: [] }],
  ['an end without a start', { to: '22:00', channels: [] }],
  ['an impossible time', { from: '22:00', to: '24:00', channels: [] }],
  ['a time that is no text', { from: 22, to: 6, channels: [] }],
  ['a text', 'env=prod'],
  ['a null', null],
] as const) {
  test(`a rule with ${what} is unknown, and is stored unchanged when another one is added`, () => {
    const settings = { notificationRules: [stored] }
    assert.equal(readNotificationRules(settings)?.[0]?.rule, undefined)
    assert.deepEqual(withRules(settings, withRuleAdded(rule)), { notificationRules: [stored, storedRule] })
  })
}

test('changes add at the end, replace, move and delete one rule, and keep the others as they are stored', () => {
  const settings = { notificationRules: [warnings, newer, night] }
  const changed = (change: RulesChange) => withRules(settings, change)?.notificationRules
  const [first, second, third] = [keyAt(settings, 0), keyAt(settings, 1), keyAt(settings, 2)]
  assert.deepEqual(changed(withRuleAdded(rule)), [warnings, newer, night, storedRule])
  assert.deepEqual(changed(withRuleReplaced(third, rule)), [warnings, newer, storedRule])
  assert.deepEqual(changed(withRuleMoved(second, -1)), [newer, warnings, night])
  assert.deepEqual(changed(withRuleMoved(second, 1)), [warnings, night, newer])
  assert.deepEqual(changed(withRuleMoved(first, -1)), [warnings, newer, night])
  assert.deepEqual(changed(withRuleMoved(third, 1)), [warnings, newer, night])
  assert.deepEqual(changed(withoutRule(second)), [warnings, night])
})

test('a rule keeps its key when it is moved or others are deleted, also beside an equal rule', () => {
  const settings = { notificationRules: [warnings, night, warnings] }
  const key = keyAt(settings, 1)
  const moved = withRules(settings, withRuleMoved(key, 1))
  assert.deepEqual(moved, { notificationRules: [warnings, warnings, night] })
  assert.equal(keyAt({ ...moved }, 2), key)
  assert.deepEqual(withRules(settings, withoutRule(keyAt(settings, 2))), { notificationRules: [warnings, night] })
  assert.equal(new Set(readNotificationRules(settings)?.map((one) => one.key)).size, 3)
})

test('the last rule that is deleted removes the setting', () => {
  const settings = { notificationRules: [warnings] }
  assert.deepEqual(withRules(settings, withoutRule(keyAt(settings, 0))), { notificationRules: null })
})

test('nothing is stored when another page deleted the rule, or when the setting cannot be read', () => {
  const key = keyAt({ notificationRules: [night] }, 0)
  const others = { notificationRules: [warnings] }
  for (const change of [withRuleReplaced(key, rule), withoutRule(key), withRuleMoved(key, 1)])
    assert.equal(withRules(others, change), undefined)
  assert.equal(withRules({ notificationRules: 'later' }, withRuleAdded(rule)), undefined)
})

test('any stored list is read without an error, and an addition changes nothing else in it', () => {
  fc.assert(
    fc.property(fc.array(anyJson), (stored) => {
      assert.deepEqual(withRules({ notificationRules: stored }, withRuleAdded(rule)), { notificationRules: [...stored, storedRule] })
    }),
  )
})
