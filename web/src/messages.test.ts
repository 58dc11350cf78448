import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { formatBytes } from './format/bytes.ts'
import { formatPercent } from './format/percent.ts'
import { formatThreshold } from './format/threshold.ts'
import * as words from './words/messages.js'
import { overwriteGetLocale } from './words/runtime.js'

/** A text, or a variant for each plural form, in the format of the compiler. */
type Message = string | readonly { readonly match: Readonly<Record<string, string>> }[]

const read = (locale: string): Record<string, Message> =>
  JSON.parse(readFileSync(new URL(`../messages/${locale}.json`, import.meta.url), 'utf8'))
const [english, german] = [read('en'), read('de')]
const textsOf = (message: Message = []) => (typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match)))
/** The variant for 1 may omit the number. */
const parameters = (message: Message | undefined) =>
  [...new Set(textsOf(message).flatMap((text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name)))].toSorted()

afterEach(() => overwriteGetLocale(() => 'en'))

test('messages: both languages have the same keys', () => assert.deepEqual(Object.keys(german), Object.keys(english)))

test('messages: both languages use the same parameters, and no text is empty', () => {
  for (const [key, message] of Object.entries(english)) {
    assert.deepEqual(parameters(german[key]), parameters(message), key)
    assert.ok(
      [...textsOf(message), ...textsOf(german[key])].every((text) => text !== ''),
      key,
    )
    assert.ok(textsOf(german[key]).length > 0, key)
  }
})

test('messages: every count has a singular form', () => {
  assert.equal(words.cores({ count: 1 }), '1 core')
  assert.equal(words.cores({ count: 8 }), '8 cores')
  assert.equal(words.office_record_count({ count: 1 }), '1 record')
  assert.equal(words.office_record_count({ count: 12_345 }), '12,345 records')
  assert.equal(words.office_delete_title({ count: 1 }), 'Delete 1 record?')
  assert.equal(words.firing_count({ count: 1 }), 'An alert is firing')
})

test('messages: German counts have singular and plural', () => {
  overwriteGetLocale(() => 'de')
  assert.equal(words.cores({ count: 1 }), '1 Kern')
  assert.equal(words.office_record_count({ count: 12_345 }), '12.345 Einträge')
})

test('messages: German puts no line break between a number and its unit', () => {
  overwriteGetLocale(() => 'de')
  const formats = { locale: 'de' }
  assert.equal(formatPercent(40.62, formats), '40,6\u00a0%')
  assert.equal(formatBytes(1536, formats), '1,5\u00a0kB')
  assert.equal(formatThreshold(80, '%', formats), '80\u00a0%')
})

const COUNTED = /\{count\} (?!more|selected|of)\w+s\b/

test('messages: no text without plural forms has a count, which would print "1 records"', () => {
  const plain = Object.entries(english).filter(([, message]) => typeof message === 'string' && COUNTED.test(message))
  assert.deepEqual(plain, [])
})
