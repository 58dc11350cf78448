import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DefinedField } from '../../../api/system-notes.ts'
import { valueText } from './value-text.ts'

const field = (kind: DefinedField['kind'], unit = ''): DefinedField => ({ id: 'f', name: 'Field', kind, unit })
const en = { locale: 'en-GB' }
const de = { locale: 'de-DE' }

test('values of defined fields are shown in the language of the person', () => {
  assert.equal(valueText(field('text'), 'A 7', en), 'A 7')
  assert.equal(valueText(field('number', 'U'), 1234.5, en), '1,234.5 U')
  assert.equal(valueText(field('number'), 0, en), '0')
  assert.equal(valueText(field('price', 'EUR'), 1200, de), '1.200,00 EUR')
  assert.equal(valueText(field('price'), -0.5, en), '-0.50')
  assert.equal(valueText(field('date'), '2026-01-31', en), '31 Jan 2026')
  assert.equal(valueText(field('date'), '2026-01-01', de), '01.01.2026')
})

test('a value that does not fit its field is shown as it is', () => {
  assert.equal(valueText(field('date'), 'soon', en), 'soon')
  assert.equal(valueText(field('number', 'U'), 'two', en), 'two U')
})
