import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from './hidden-secrets.ts'

for (const [text, secrets, shown] of [
  ['token abcd1234 is wrong', ['abcd1234'], 'token *** is wrong'],
  ['https://h/?k=p%2Fass+word and p%2Fass%20word and p/ass word', ['p/ass word'], 'https://h/?k=*** and *** and ***'],
  ['abcd abcdefgh', ['abcd', 'abcdefgh'], '*** ***'],
  ['yes or no', ['', 'or', 'no'], 'yes or no'],
] as const)
  test(`withoutSecrets: ${text}`, () => assert.equal(withoutSecrets(text, secrets), shown))
