import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutationAreas } from './mutation-areas.ts'
import { root } from './rules/source-tree.ts'

for (const { name, sources, tests } of mutationAreas) {
  test(`${name}: its sources and tests exist`, () => {
    const missing = [...sources, ...tests].filter((path) => !existsSync(join(root, path)))
    assert.deepEqual(missing, [])
  })
}
