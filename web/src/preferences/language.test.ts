import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './language.ts'

test('languageOf is the first supported language of the browser, in any region', () => {
  assert.equal(languageOf(['fr-FR', 'de-AT', 'en']), 'de')
  assert.equal(languageOf(['EN-gb', 'de']), 'en')
  assert.equal(languageOf(['deu', 'dex-DE']), 'en')
  assert.equal(languageOf([]), 'en')
})
