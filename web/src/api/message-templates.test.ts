import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessageSettings, storedTemplates, unknownPlaceholder } from './message-templates.ts'

for (const [what, before, templates, expected] of [
  ['empty templates remove the setting', {}, { title: '', text: '' }, null],
  ['an empty text is not stored', { messageTemplates: { text: 'a' } }, { title: '{system}', text: '' }, { title: '{system}' }],
  ['fields of a newer hub stay', { messageTemplates: { footer: 'x', title: 'a' } }, { title: '', text: 'b' }, { footer: 'x', text: 'b' }],
] as const)
  test(`storedTemplates: ${what}`, () => assert.deepEqual(storedTemplates(before, templates), expected))

test('readMessageSettings reads missing and unreadable values as the standard', () => {
  const standard = { groupMinutes: 0, templates: { title: '', text: '' }, language: 'en' }
  for (const settings of [{}, { groupMinutes: '5', messageTemplates: 7, language: 'fr' }, { messageTemplates: { title: 1, text: null } }])
    assert.deepEqual(readMessageSettings(settings), standard)
})

test('unknownPlaceholder finds the first name in braces that is no placeholder', () => {
  assert.equal(unknownPlaceholder('{system} {host} {other}'), 'host')
  assert.equal(unknownPlaceholder('{constructor}'), 'constructor')
  assert.equal(unknownPlaceholder('{system} } {'), undefined)
})
