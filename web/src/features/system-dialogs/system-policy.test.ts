import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertKinds } from '../../api/alert-kinds.ts'
import { noPolicyValues, type AlertPolicy } from '../../api/alert-policies.ts'
import { systemPolicy, type ShownRule } from './system-policy.ts'

const own: ShownRule = { value: 80, minutes: 5, severity: 'critical', levels: undefined, isOwn: true }
const inherited: ShownRule = { ...own, isOwn: false, levels: { warning: 70, warningMinutes: 10, clear: 60 } }
const stored: AlertPolicy = {
  id: 'p',
  tag: '',
  systemId: 's',
  name: 'CPU',
  target: undefined,
  values: { ...noPolicyValues, off: true, threshold: 90, warning: 70 },
}

const valuesFor = (rule: ShownRule, policy?: AlertPolicy, name = 'CPU') => {
  const kind = alertKinds.find((one) => one.name === name)
  assert.ok(kind)
  return systemPolicy({ kind, systemId: 's', target: undefined }, rule, policy).values
}

test('systemPolicy begins a new policy with the values of the own alert', () => {
  assert.deepEqual(valuesFor(own), { ...noPolicyValues, off: false, threshold: 80, minutes: 5 })
  assert.equal(valuesFor({ ...own, severity: 'warning' }).severity, 'warning')
})

test('systemPolicy begins a new policy with all values of a wider one', () => {
  const levels = { warning: 70, warningMinutes: 10, clear: 60 }
  assert.deepEqual(valuesFor(inherited), { ...noPolicyValues, off: false, threshold: 80, minutes: 5, ...levels })
})

test('systemPolicy turns a stored policy on and takes the values of the own alert that replaced it', () => {
  assert.deepEqual(valuesFor(own, stored), { ...stored.values, off: false, threshold: 80, minutes: 5 })
})

test('systemPolicy leaves a stored policy in force as it is', () => {
  assert.deepEqual(valuesFor(inherited, stored), stored.values)
})

test('systemPolicy sets no minutes of a forecast', () => {
  assert.equal(valuesFor(own, undefined, 'DiskForecast').minutes, undefined)
})
