import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateRulesIn, rateRulesText } from './rate-rules-text.ts'

const rules = [
  { label: '*:auth', audience: '', maxRequests: 2, duration: 3 },
  { label: 'POST /api/batch', audience: '@guest', maxRequests: 3, duration: 1 },
]

test('rateRulesText and rateRulesIn round-trip rules, one per line', () => {
  assert.equal(rateRulesText(rules), '*:auth 2/3s\nPOST /api/batch 3/1s @guest')
  assert.deepEqual(rateRulesIn(rateRulesText(rules)), rules)
  assert.deepEqual(rateRulesIn('  /api/   300/10 \n\n'), [{ label: '/api/', audience: '', maxRequests: 300, duration: 10 }])
})

test('rateRulesIn keeps the text of an invalid rule, so that the hub refuses it', () => {
  assert.deepEqual(rateRulesIn('/api/ often'), [{ label: '/api/ often', audience: '', maxRequests: null, duration: null }])
  assert.equal(rateRulesText([{ label: '/api/' }, null]), '/api/ /s\n/s')
})
