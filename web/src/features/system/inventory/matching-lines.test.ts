import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingLines } from './matching-lines.ts'

const text = 'GET /one 200\nerror: disk full\nGET /two 500\n'

for (const [search, lines] of [
  ['', text],
  ['  ', text],
  ['get', 'GET /one 200\nGET /two 500'],
  ['Disk Full', 'error: disk full'],
  ['.*', ''],
] as const) {
  test(`matchingLines of "${search}"`, () => assert.equal(matchingLines(text, search), lines))
}
