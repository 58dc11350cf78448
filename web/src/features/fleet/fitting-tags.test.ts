import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingTags } from './fitting-tags.ts'

for (const [texts, count] of [
  [[], 0],
  [['db'], 1],
  [['x'.repeat(64)], 1],
  [['x'.repeat(64), 'db'], 1],
  [['db', 'x'.repeat(64)], 1],
  [['env=prod', 'db'], 2],
  [['db', 'web', 'eu', 'x'], 3],
  [['😀😀😀', '😀😀😀'], 2],
] as const) {
  test(`fittingTags of ${texts.length} tags with lengths ${texts.map((text) => text.length).join()} is ${count}`, () =>
    assert.equal(fittingTags(texts), count))
}
