import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faviconFor } from './favicon-model.ts'

for (const [statuses, icon] of [
  [['up', 'down', 'paused'], 'favicon-red'],
  [['up', 'pending'], 'favicon-green'],
  [['paused', 'pending'], 'favicon'],
  [[], 'favicon'],
] as const) {
  test(`§2 browser icon: faviconFor [${statuses.join(', ')}] is ${icon}`, () => assert.equal(faviconFor(statuses), icon))
}
