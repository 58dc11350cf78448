import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './language.ts'

test('languageOf: the first of the browser’s languages that the page speaks, whatever its region', () => {
  assert.equal(languageOf(['fr-FR', 'de-AT', 'en']), 'de')
  assert.equal(languageOf(['EN-gb', 'de']), 'en')
  assert.equal(languageOf(['deu', 'dex-DE']), 'en')
  assert.equal(languageOf([]), 'en')
})
