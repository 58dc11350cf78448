import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenLanguage } from './message.ts'

for (const [header, language] of [
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.2, de;q=0.7', 'de'],
  ['fr, en-GB;q=0.5', 'en'],
  ['fr', undefined],
  ['de;q=0', undefined],
  ['', undefined],
  [';;q=,,', undefined],
] as const)
  test(`spokenLanguage of ${JSON.stringify(header)} is ${language}`, () => assert.equal(spokenLanguage(header), language))
