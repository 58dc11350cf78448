import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMessage } from './letter.ts'

const letter = {
  subject: 'A subject\r\nBcc: everybody@example.com',
  greeting: 'Hello <script>alert(1)</script>',
  lead: 'Tom & "Jerry"',
  action: { label: 'Go', url: 'https://hub.example.com/x?a=1&b="2"' },
  code: '123456',
  facts: ['one', 'two'],
  notes: ['a note'],
  signature: 'Vedette',
}

test('composeMessage makes one line of the subject', () => {
  assert.equal(composeMessage('a@example.com', letter).subject, 'A subject Bcc: everybody@example.com')
})

test('composeMessage escapes everything in the HTML, and nothing in the text', () => {
  const { html, text } = composeMessage('a@example.com', letter)
  assert.doesNotMatch(html, /<script>/)
  assert.match(html, /Tom &amp; &quot;Jerry&quot;/)
  assert.match(html, /href="https:\/\/hub\.example\.com\/x\?a=1&amp;b=&quot;2&quot;"/)
  assert.match(text, /Tom & "Jerry"/)
  assert.match(text, /\n {4}123456\n/)
  for (const part of ['one', 'two', 'a note', 'Vedette', letter.action.url]) assert.ok(text.includes(part))
})
