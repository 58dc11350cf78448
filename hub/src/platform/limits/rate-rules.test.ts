import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRateLimits, findRule, isRateLabel, rateLabels, type RateRule } from './rate-rules.ts'

const nameOf = (nameOrId: string): string | undefined =>
  ({ users: 'users', _pb_users_auth_: 'users', systems: 'systems', _superusers: '_superusers' })[nameOrId]

const requests: readonly (readonly [method: string, path: string, ...names: string[]])[] = [
  ['GET', '/api/health'],
  ['POST', '/api/batch/'],
  ['GET', '/api/collections/systems/records', 'systems:list', '*:list'],
  ['HEAD', '/api/collections/systems/records/abc', 'systems:view', '*:view'],
  ['POST', '/api/collections/systems/records', 'systems:create', '*:create'],
  ['PATCH', '/api/collections/systems/records/abc', 'systems:update', '*:update'],
  ['DELETE', '/api/collections/systems/records/abc', 'systems:delete', '*:delete'],
  ['POST', '/api/collections/users/auth-with-password', 'users:authWithPassword', 'users:auth', '*:authWithPassword', '*:auth'],
  ['POST', '/api/collections/_pb_users_auth_/auth-with-otp', 'users:authWithOTP', 'users:auth', '*:authWithOTP', '*:auth'],
  ['POST', '/api/collections/users/auth-with-oauth2', 'users:authWithOAuth2', 'users:auth', '*:authWithOAuth2', '*:auth'],
  ['POST', '/api/collections/users/auth-refresh', 'users:authRefresh', '*:authRefresh'],
  ['POST', '/api/collections/users/request-otp', 'users:requestOTP', '*:requestOTP'],
  ['POST', '/api/collections/_superusers/request-password-reset', '_superusers:requestPasswordReset', '*:requestPasswordReset'],
  ['GET', '/api/files/users/abc/picture.png', 'users:file', '*:file'],
  ['GET', '/api/collections/unknown/records'],
]

for (const [method, path, ...names] of requests) {
  test(`rate rules: ${method} ${path} has the labels ${names.join(', ') || 'by its path alone'}`, () => {
    const whole = path.replace(/\/$/, '')
    assert.deepEqual(rateLabels(method, path, nameOf), [...names, `${method} ${whole}`, whole])
  })
}

const rule = (label: string, audience: RateRule['audience'] = ''): RateRule => ({ label, audience, maxRequests: 1, duration: 1 })
const found = (rules: readonly RateRule[], method: string, path: string, isGuest = true): string | undefined =>
  findRule(rules, rateLabels(method, path, nameOf), isGuest)?.label

test('rate rules: the most specific label decides, in any order of the rules', () => {
  const rules = [rule('/api/'), rule('/api/collections/'), rule('*:auth'), rule('users:auth'), rule('POST /api/batch')]
  assert.equal(found(rules, 'POST', '/api/collections/users/auth-with-password'), 'users:auth')
  assert.equal(found(rules, 'POST', '/api/collections/_superusers/auth-with-password'), '*:auth')
  assert.equal(found(rules, 'GET', '/api/collections/systems/records'), '/api/collections/')
  assert.equal(found(rules, 'POST', '/api/batch'), 'POST /api/batch')
  assert.equal(found(rules, 'GET', '/api/batch'), '/api/')
  assert.equal(found([rule('*:auth')], 'GET', '/api/batch'), undefined)
})

test('rate rules: a rule for guests does not apply to signed-in users', () => {
  const rules = [rule('/api/health', '@guest'), rule('/api/', '@auth')]
  assert.equal(found(rules, 'GET', '/api/health'), '/api/health')
  assert.equal(found(rules, 'GET', '/api/health', false), '/api/')
})

test('rate rules: isRateLabel accepts the default labels and refuses malformed labels', () => {
  for (const { label } of defaultRateLimits.rules) assert.ok(isRateLabel(label), label)
  for (const wrong of ['', 'users', 'get /api/', '/api with spaces', 'users:', ':auth', '*']) assert.ok(!isRateLabel(wrong), wrong)
})
