import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderEmail, languages } from './email.ts'
import { emailKinds, emailContentOf, type Subject } from './email-templates.ts'

const appName = 'Tower & Co'
const url = 'https://hub.example.com/reset-password/abc'

const subjects: readonly Subject[] = [
  { kind: 'password-reset', appName, url },
  { kind: 'verification', appName, url },
  { kind: 'email-change', appName, url, newEmail: 'new@example.com' },
  { kind: 'otp', appName, code: '123456', lifetimeSeconds: 180 },
  { kind: 'login-alert', appName, at: '2026-01-01 10:00 UTC', address: '192.0.2.1', browser: 'Firefox', url },
]

test('emailContentOf renders every kind of email in every language, with a different subject in each', () => {
  assert.deepEqual(subjects.map(({ kind }) => kind).toSorted(), emailKinds.toSorted())
  for (const subject of subjects) {
    const letters = languages.map((language) => renderEmail('a@example.com', emailContentOf(language, subject)))
    assert.equal(new Set(letters.map((content) => content.subject)).size, languages.length)
    for (const { subject: line, text, html } of letters) {
      assert.match(line, /Tower & Co/)
      assert.match(html, /Tower &amp; Co/)
      for (const said of 'url' in subject ? [subject.url] : [subject.code]) assert.ok(text.includes(said) && html.includes(said))
    }
  }
})
