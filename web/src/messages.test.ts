import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../messages/${locale}.json`, import.meta.url), 'utf8'))
const [english, german] = [read('en'), read('de')]
const parameters = (text: string | undefined) => [...(text ?? '').matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()

test('messages: both languages say the same things', () => assert.deepEqual(Object.keys(german), Object.keys(english)))

test('messages: both languages use the same parameters, and none is empty', () => {
  for (const [key, text] of Object.entries(english)) {
    assert.deepEqual(parameters(german[key]), parameters(text), key)
    assert.ok(text !== '' && german[key] !== '', key)
  }
})
