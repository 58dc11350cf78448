import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeovers } from './takeovers.ts'

test('takeovers allows an agent to reconnect after it lost its network', () => {
  const { allow, remark } = takeovers()
  assert.deepEqual(
    [0, 20_000, 80_000, 141_000].map((nowMs) => allow('10.0.0.1', '10.0.0.1', nowMs)),
    [true, true, true, true],
  )
  assert.equal(remark(141_000), undefined)
})

test('takeovers refuses two machines that fight over one fingerprint, and reports the fight while it lasts', () => {
  const { allow, remark } = takeovers()
  const times = [0, 5000, 10_000, 20_000, 60_000, 300_000]
  assert.deepEqual(
    times.map((nowMs) => allow('10.0.0.2', '10.0.0.1', nowMs)),
    [true, true, false, false, false, true],
  )
  assert.match(remark(60_000) ?? '', /^Two agents .* \(10\.0\.0\.1 and 10\.0\.0\.2\)/)
  assert.equal(remark(300_000), undefined)
})

for (const stepMs of [3_600_000, 86_400_000])
  test(`takeovers neither refuses an agent nor reports a fight because the clock was set back by ${stepMs / 3_600_000} h`, () => {
    const { allow, remark } = takeovers()
    for (const nowMs of [0, 5000, 10_000]) allow('10.0.0.2', '10.0.0.1', stepMs + nowMs)
    assert.equal(remark(0), undefined)
    assert.deepEqual(
      [0, 50_000].map((nowMs) => allow('10.0.0.1', '10.0.0.1', nowMs)),
      [true, true],
    )
  })
