import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { overwriteGetLocale } from '../words/runtime.js'
import { recordOf } from './json.ts'
import { translatedCodes, translatedErrors, translatedMessage, translatedMessages, translatedValueTexts } from './refusal-words.ts'

const hub = join(import.meta.dirname, '..', '..', '..', 'hub', 'src')
const sources = globSync('**/*.ts', { cwd: hub })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(hub, path), 'utf8'))
  .join('\n')

afterEach(() => overwriteGetLocale(() => 'en'))

const textOf = (error: object) => recordOf(translatedErrors({ field: error })['field'])['message']

test('each code of a field error in the sources of the hub has a German text', () => {
  const codes = new Set([...sources.matchAll(/'(validation_[a-z_]+)'/g)].map(([, code = '']) => code))
  assert.ok(codes.size > 40, `${codes.size} codes`)
  assert.deepEqual([...codes].toSorted(), translatedCodes.toSorted())
  overwriteGetLocale(() => 'de')
  // The texts of these codes say what is wrong, and have no common translation.
  const ownTexts = ['validation_invalid_value', 'validation_invalid_values']
  for (const code of codes)
    assert.equal(textOf({ code, message: 'Only in English.' }) === 'Only in English.', ownTexts.includes(code), code)
})

test('each translated message of a refused request is in the sources of the hub', () => {
  for (const message of translatedMessages) {
    assert.ok(sources.includes(`'${message}'`) || sources.includes(`"${message}"`), message)
    assert.equal(translatedMessage(message), message, 'English pages show the text of the hub')
  }
  overwriteGetLocale(() => 'de')
  for (const message of translatedMessages) assert.notEqual(translatedMessage(message), message)
  for (const message of ['A later message.', 'toString']) assert.equal(translatedMessage(message), message)
})

test('each text of an invalid value that has a German text is in the sources of the hub', () => {
  for (const message of translatedValueTexts) assert.ok(sources.includes(`'${message}'`), message)
})

const kept = { code: 'validation_tag_kept', message: 'Kept.', params: { tag: 'rack=4', sources: ['agent', 'rule', 'later'] } }

for (const [error, english, german] of [
  [{ code: 'validation_required', message: 'Cannot be blank.' }, 'Cannot be blank', 'Darf nicht leer sein'],
  [{ code: 'validation_not_unique', message: 'Value must be unique.' }, 'Already taken', 'Schon vergeben'],
  [{ code: 'validation_max_text_constraint', message: 'Long.', params: { max: 64 } }, 'At most 64 characters', 'Höchstens 64 Zeichen'],
  [
    { code: 'validation_min_text_constraint', message: 'Must be at least 8 character(s).' },
    'At least 8 characters',
    'Mindestens 8 Zeichen',
  ],
  [
    { code: 'validation_length_out_of_range', message: 'The length must be between 1 and 80.', params: { min: 1, max: 80 } },
    '1 to 80 characters',
    '1 bis 80 Zeichen',
  ],
  [
    { code: 'validation_length_out_of_range', message: 'Must be at least 12 characters long.' },
    'At least 12 characters',
    'Mindestens 12 Zeichen',
  ],
  [
    { code: 'validation_invalid_value', message: 'Must be a whole number from 4 to 12.' },
    'Must be a whole number from 4 to 12.',
    'Eine ganze Zahl von 4 bis 12',
  ],
  [
    { code: 'validation_invalid_value', message: 'There must be a way to sign in.' },
    'There must be a way to sign in.',
    'Es muss eine Anmeldeart übrig bleiben.',
  ],
  [
    { code: 'validation_invalid_value', message: 'Must not contain control characters.' },
    'Must not contain control characters.',
    'Darf keine Steuerzeichen enthalten.',
  ],
  [
    { code: 'validation_invalid_values', message: 'The value of "Bought" does not fit the field.' },
    'The value of "Bought" does not fit the field.',
    'Der Wert von "Bought" passt nicht zum Feld.',
  ],
  [
    { code: 'validation_invalid_value', message: '"threshold" is wrong: Too big.' },
    '"threshold" is wrong: Too big.',
    '"threshold" is wrong: Too big.',
  ],
  [
    { code: 'validation_is_url', message: 'Must be a valid http or https address.' },
    'Must be a valid http or https address.',
    'Eine Webadresse mit http oder https eingeben',
  ],
  [
    { code: 'validation_is_url', message: 'Must be an https address; http only on this machine.' },
    'Must be an https address; http only on this machine.',
    'Eine Webadresse mit https eingeben',
  ],
  [
    { code: 'validation_not_in_invalid', message: 'Must not be in list.' },
    'Enter another email address',
    'Eine andere E-Mail-Adresse eingeben',
  ],
  [
    kept,
    'The tag "rack=4" stays, because it has other sources: agent, rule',
    'Der Tag "rack=4" bleibt, weil er weitere Quellen hat: Agent, Regel',
  ],
  [
    { code: 'validation_tag_grants', message: 'No.', params: { tag: 'prod' } },
    'The tag "prod" gives access to systems. Only admins can set it.',
    'Der Tag "prod" gibt Zugriff auf Systeme. Nur Admins können ihn setzen.',
  ],
  [
    { code: 'validation_invalid_filter', message: 'Unknown field "x".' },
    'Not a valid filter. Unknown field "x".',
    'Kein gültiger Filter. Unknown field "x".',
  ],
  [{ code: 'validation_later', message: 'Something new.' }, 'Something new.', 'Something new.'],
  [{ code: 'toString', message: 'An inherited name.' }, 'An inherited name.', 'An inherited name.'],
] as const) {
  test(`translatedErrors has ${error.code} in both languages: ${english}`, () => {
    assert.equal(textOf(error), english)
    overwriteGetLocale(() => 'de')
    assert.equal(textOf(error), german)
  })
}

test('translatedErrors translates the errors of nested forms, and a field that is named code', () => {
  overwriteGetLocale(() => 'de')
  const blank = { code: 'validation_required', message: 'Cannot be blank.' }
  const errors = { oauth2: { providers: { 0: { clientId: blank } } }, code: { code: blank }, odd: 3 }
  const german = { ...blank, message: 'Darf nicht leer sein' }
  assert.deepEqual(translatedErrors(errors), { oauth2: { providers: { 0: { clientId: german } } }, code: { code: german }, odd: 3 })
})
