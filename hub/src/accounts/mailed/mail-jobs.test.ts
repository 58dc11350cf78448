import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailJob, type AccountMail } from './mail-jobs.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const request = { collection: 'users', email: 'alice@example.com' }

const lifetimes: readonly (readonly [AccountMail, number])[] = [
  [{ kind: 'verification', ...request }, DAY_MS],
  [{ kind: 'password-reset', ...request }, 30 * MINUTE_MS],
  [{ kind: 'email-change', account: 'a', newEmail: 'new@example.com' }, 30 * MINUTE_MS],
  [{ kind: 'otp', ...request, otpId: 'o' }, 10 * MINUTE_MS],
  [{ kind: 'login-alert', account: 'a', address: '192.0.2.1', browser: 'test', atMs: 0 }, DAY_MS],
]

for (const [mail, lifetimeMs] of lifetimes)
  test(`mailJob returns the lifetime of ${mail.kind}`, () => {
    assert.deepEqual(mailJob(mail), { body: mail, lifetimeMs })
  })
