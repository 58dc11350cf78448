import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderEmail, preferredLanguage } from './email.ts'

const content = {
  subject: 'A subject\r\nBcc: everybody@example.com',
  greeting: 'Hello <script>alert(1)</script>',
  lead: 'Tom & "Jerry"',
  action: { label: 'Go', url: 'https://hub.example.com/x?a=1&b="2"' },
  code: '123456',
  facts: ['one', 'two'],
  notes: ['a note'],
  signature: 'Vedette',
}

test('renderEmail replaces line breaks in the subject', () => {
  assert.equal(renderEmail('a@example.com', content).subject, 'A subject Bcc: everybody@example.com')
})

test('renderEmail escapes all values in the HTML part and none in the text part', () => {
  const { html, text } = renderEmail('a@example.com', content)
  assert.doesNotMatch(html, /<script>/)
  assert.match(html, /Tom &amp; &quot;Jerry&quot;/)
  assert.match(html, /href="https:\/\/hub\.example\.com\/x\?a=1&amp;b=&quot;2&quot;"/)
  assert.match(text, /Tom & "Jerry"/)
  assert.match(text, /\n {4}123456\n/)
  for (const part of ['one', 'two', 'a note', 'Vedette', content.action.url]) assert.ok(text.includes(part))
})

for (const [header, language] of [
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.2, de;q=0.7', 'de'],
  ['fr, en-GB;q=0.5', 'en'],
  ['fr', undefined],
  ['de;q=0', undefined],
  ['', undefined],
  [';;q=,,', undefined],
] as const)
  test(`preferredLanguage of ${JSON.stringify(header)} is ${language}`, () => assert.equal(preferredLanguage(header), language))
