import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeOfStep } from '../../../test/second-factor-scene.ts'
import { createRecoveryCodes, normalCode } from './recovery-codes.ts'
import { createTotpSecret, isTotpCode, matchingStep, STEP_MS, totpUri } from './totp.ts'

/** The secret of the vectors of RFC 6238, `12345678901234567890`, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('matchingStep: accepts the codes of RFC 6238 at their times', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(codeOfStep(RFC_SECRET, Math.floor(seconds / 30)), code)
    assert.equal(matchingStep(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30))
  }
})

test('matchingStep: accepts exactly the codes of the current step and its two neighbours', () => {
  const at = fc.integer({ min: 10 * STEP_MS, max: 4_102_444_800_000 })
  fc.assert(
    fc.property(at, fc.integer({ min: -6, max: 6 }), (nowMs, delta) => {
      const secret = createTotpSecret()
      const step = Math.floor(nowMs / STEP_MS)
      const code = codeOfStep(secret, step + delta)
      const near = [step - 1, step, step + 1].filter((one) => codeOfStep(secret, one) === code)
      const found = matchingStep(secret, code, nowMs)
      assert.ok(near.length === 0 ? found === undefined : found !== undefined && near.includes(found))
    }),
  )
})

test('matchingStep: no other text is a code', () => {
  const nowMs = 59_000
  for (const text of ['', '28708', '2870820', ' 287082', '287082\n', '２８７０８２', '-28708', '2.7082', '__proto__', '0x1234'])
    assert.equal(matchingStep(RFC_SECRET, text, nowMs), undefined, text)
  fc.assert(fc.property(fc.string(), (text) => isTotpCode(text) || matchingStep(RFC_SECRET, text, nowMs) === undefined))
})

test('createTotpSecret: 20 random bytes as base32, and an address that apps read', () => {
  const secrets = Array.from({ length: 50 }, createTotpSecret)
  assert.equal(new Set(secrets).size, 50)
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
  const address = new URL(totpUri(RFC_SECRET, { issuer: 'Tower: "1" & more', account: 'anna+a:b@example.com' }))
  assert.equal(address.protocol, 'otpauth:')
  assert.equal(address.host, 'totp')
  assert.equal(decodeURIComponent(address.pathname), '/Tower  "1" & more:anna+a b@example.com')
  const { searchParams } = address
  assert.deepEqual(
    ['secret', 'issuer', 'algorithm', 'digits', 'period'].map((name) => searchParams.get(name)),
    [RFC_SECRET, 'Tower  "1" & more', 'SHA1', '6', '30'],
  )
})

test('createRecoveryCodes: 10 different codes without confusing letters, which are no 6-digit codes', () => {
  const codes = createRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) {
    assert.match(code, /^[A-HJKMNP-Z2-9]{4}(?:-[A-HJKMNP-Z2-9]{4}){2}$/)
    assert.ok(!isTotpCode(normalCode(code)))
    assert.equal(normalCode(` ${code.toLowerCase().replaceAll('-', ' ')} `), code.replaceAll('-', ''))
  }
})
