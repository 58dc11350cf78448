import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import fc from 'fast-check'
import { addedPersons, escalationProblem, stepsFor } from './escalation-steps.ts'

const settings = (escalation: unknown): Json => JSON.parse(JSON.stringify({ escalation })) as Json // as it was written
const own = (minutes: number) => ({ minutes, channels: ['a'] })

test('escalationProblem names the first value that is wrong', () => {
  assert.equal(escalationProblem(settings([own(5), { minutes: 1440, severity: 'critical', person: 'bob' }])), undefined)
  assert.equal(escalationProblem({}), undefined)
  for (const [wrong, place] of [
    [{}, 'escalation'],
    [[own(0)], 'escalation.0.minutes'],
    [[own(1441)], 'escalation.0.minutes'],
    [[own(1.5)], 'escalation.0.minutes'],
    [[own(5), own(5)], 'escalation.1.minutes'],
    [[own(5), own(4)], 'escalation.1.minutes'],
    [[{ ...own(5), severity: 'warning' }], 'escalation.0.severity'],
    [[{ ...own(5), person: 'bob' }], 'escalation.0'],
    [[{ minutes: 5 }], 'escalation.0'],
    [[{ minutes: 5, channels: [] }], 'escalation.0.channels'],
    [[{ ...own(5), more: 1 }], 'escalation.0'],
    [[1, 2, 3, 4, 5, 6].map(own), 'escalation'],
  ] as const)
    assert.match(escalationProblem(settings(wrong)) ?? '', new RegExp(`^"${place}" is wrong: `), JSON.stringify(wrong))
})

test('escalationProblem accepts items of a newer version that were stored before, and refuses new ones', () => {
  const newer = { minutes: 5, team: 'on call' }
  assert.equal(escalationProblem(settings([newer, own(10)]), settings([newer])), undefined)
  assert.match(escalationProblem(settings([newer, { ...newer, minutes: 6 }]), settings([newer])) ?? '', /^"escalation\.1/)
})

test('stepsFor leaves out unreadable steps, and those of another severity', () => {
  const critical = { ...own(20), severity: 'critical' }
  const all = settings([critical, { minutes: 5, team: 'x' }, own(10)])
  assert.deepEqual(stepsFor(all, 'warning'), [own(10)])
  assert.deepEqual(stepsFor(all, 'critical'), [own(10), critical])
})

test('addedPersons leaves out the people of stored steps', () => {
  const step = (minutes: number, person: string) => ({ minutes, person })
  assert.deepEqual(addedPersons(settings([step(5, 'a'), step(10, 'b')]), settings([step(5, 'a')])), ['b'])
  assert.deepEqual(addedPersons(settings([step(6, 'a')]), settings([step(5, 'a')])), ['a'])
})

test('escalationProblem accepts or refuses any JSON without an exception', () => {
  fc.assert(fc.property(fc.jsonValue(), (escalation) => void escalationProblem(settings(escalation))))
})
