import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelKind } from '../judging/alert-kinds.ts'
import { judgeTrendRule } from './trend-judgement.ts'

const kind = levelKind('DiskRate') ?? assert.fail('DiskRate is a level')
const rule = { threshold: 10, minutes: 5, warning: { threshold: 5, minutes: 5 } }
const rates = (root: number, data: number) => [
  { target: 'root', rate: root },
  { target: 'data', rate: data },
]
const judged = (root: number, data: number, isFiring = false) =>
  judgeTrendRule(kind, () => rates(root, data), rule, { isFiring, firedBy: isFiring ? 'root' : undefined })

test('judgeTrendRule: a rule with two thresholds is a warning between them, and critical by the disk beyond the second', () => {
  assert.deepEqual(judged(4, 3), { side: 'within', target: 'root', value: 4 })
  assert.deepEqual(judged(7, 3), { side: 'beyond', target: 'root', value: 7 })
  assert.deepEqual(judged(7, 12), { side: 'beyond', target: 'data', value: 12, isCritical: true })
  assert.deepEqual(judged(7, 3, true), { side: 'beyond', target: 'root', value: 7 })
  assert.deepEqual(judged(4, 3, true), { side: 'within', target: 'root', value: 4 })
})

test('judgeTrendRule: a rule with one threshold is never critical by itself', () => {
  const { threshold, minutes } = rule
  const one = judgeTrendRule(kind, () => rates(20, 3), { threshold, minutes }, { isFiring: false, firedBy: undefined })
  assert.deepEqual(one, { side: 'beyond', target: 'root', value: 20 })
})

test('judgeTrendRule: each of two thresholds is compared with the trend over its own minutes', () => {
  const slow = { threshold: 20, minutes: 5, warning: { threshold: 5, minutes: 30 } }
  const judgedWith = (over5: number, over30: number) =>
    judgeTrendRule(kind, (minutes) => rates(minutes === 30 ? over30 : over5, 0), slow, { isFiring: false, firedBy: undefined })
  assert.equal(judgedWith(15, 4).side, 'within')
  assert.deepEqual([judgedWith(15, 6).side, judgedWith(15, 6).isCritical], ['beyond', undefined])
  assert.equal(judgedWith(25, 4).isCritical, true)
})
