import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { messageSettingsProblem, messageTemplates } from './message-settings.ts'
import { placeholders, renderTemplate, templateLimits, templateProblem, type Placeholder } from './message-template.ts'

const values = (entries: Readonly<Partial<Record<Placeholder, string>>>) =>
  new Map(placeholders.flatMap((name) => (entries[name] === undefined ? [] : [[name, entries[name]] as const])))

for (const [what, part, template, problem] of [
  ['a template of all placeholders is valid', 'text', placeholders.map((name) => `{${name}}`).join('\n'), undefined],
  ['an empty template is valid', 'title', '', undefined],
  ['single braces are text', 'title', 'a } b { c', undefined],
  ['an unknown placeholder is named', 'title', 'On {host}', 'Unknown placeholder {host}.'],
  ['blanks in braces are part of the name', 'title', '{ system }', 'Unknown placeholder { system }.'],
  ['the name of an unknown placeholder is shortened', 'text', `{${'x'.repeat(50)}}`, `Unknown placeholder {${'x'.repeat(40)}}.`],
  ['an inherited name is unknown', 'text', '{constructor}', 'Unknown placeholder {constructor}.'],
  ['a title has no line break', 'title', 'a\nb', 'Must not contain line breaks or control characters.'],
  ['a text may have line breaks and tabs', 'text', 'a\n\tb', undefined],
  ['a text has no other control character', 'text', 'a\u0000b', 'Must not contain control characters.'],
  ['a title has 200 characters', 'title', 'x'.repeat(201), 'Must be at most 200 characters.'],
  ['a text has 2,000 characters', 'text', 'x'.repeat(2001), 'Must be at most 2000 characters.'],
] as const)
  test(`templateProblem: ${what}`, () => assert.equal(templateProblem(part, template), problem))

test('renderTemplate replaces each placeholder once, and an unknown value by nothing', () => {
  assert.equal(renderTemplate('title', '{system}: {value}{alert}', values({ system: '{link}{system}', alert: '$&' })), '{link}{system}: $&')
  assert.equal(renderTemplate('title', ' {value} {target} ', values({})), undefined)
  assert.equal(renderTemplate('text', 'of a newer hub: {weather}', values({})), 'of a newer hub: {weather}')
})

test('renderTemplate shortens long texts between characters, but not the standard text', () => {
  assert.equal(renderTemplate('title', '{system}', values({ system: 'x'.repeat(498) + '\u{1F534}y' }))?.length, 499)
  assert.equal(renderTemplate('title', '{system}', values({ system: 'x'.repeat(501) })), `${'x'.repeat(499)}…`)
  const text = 'x'.repeat(9000)
  assert.equal(renderTemplate('text', '{text}', values({ text })), text)
})

for (const [what, settings, before, problem] of [
  ['settings without both are valid', {}, {}, undefined],
  ['null is absent', { groupMinutes: null, messageTemplates: null }, {}, undefined],
  ['a window of 0 is off', { groupMinutes: 0 }, {}, undefined],
  ['a window has at most 60 minutes', { groupMinutes: 61 }, {}, '"groupMinutes" is wrong: Must be a whole number from 0 to 60.'],
  ['a stored window of a newer version stays', { groupMinutes: 600 }, { groupMinutes: 600 }, undefined],
  ['templates are an object', { messageTemplates: ['a'] }, {}, '"messageTemplates" is wrong: Must be an object.'],
  ['a template is a text', { messageTemplates: { title: 1 } }, {}, '"messageTemplates.title" is wrong: Must be a text.'],
  [
    'the name of an unknown placeholder is in the problem',
    { messageTemplates: { text: '{host}' } },
    {},
    '"messageTemplates.text" is wrong: Unknown placeholder {host}.',
  ],
  [
    'other fields are refused',
    { messageTemplates: { footer: 'a' } },
    {},
    '"messageTemplates.footer" is wrong: Must be absent: templates are "title" and "text".',
  ],
  [
    'stored fields of a newer version stay beside a change',
    { messageTemplates: { footer: 'a', text: '{weather}', title: '{system}' } },
    { messageTemplates: { footer: 'a', text: '{weather}' } },
    undefined,
  ],
] as const)
  test(`messageSettingsProblem: ${what}`, () =>
    assert.equal(messageSettingsProblem(JSON.parse(JSON.stringify(settings)), JSON.parse(JSON.stringify(before))), problem))

test('messageSettingsProblem and messageTemplates read any JSON without an exception, and accepted templates are in the limits', () => {
  const templates = fc.oneof(fc.jsonValue(), fc.dictionary(fc.oneof(inheritedName, fc.constantFrom('title', 'text')), fc.jsonValue()))
  fc.assert(
    fc.property(templates, fc.jsonValue(), (sent, groupMinutes) => {
      const settings = JSON.parse(JSON.stringify({ messageTemplates: sent, groupMinutes }))
      const { title = '', text = '' } = messageTemplates(settings) ?? {}
      if (messageSettingsProblem(settings) !== undefined) return
      assert.ok(title.length <= templateLimits.title && text.length <= templateLimits.text)
    }),
  )
})
