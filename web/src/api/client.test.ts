import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteRecord, filterOf, updateRecord } from './client.ts'

for (const [what, send] of [
  ['updateRecord', () => updateRecord('systems', '', { name: 'atlas' })],
  ['deleteRecord', () => deleteRecord('systems', '')],
] as const) {
  test(`§5 ${what} without an id is rejected before anything is sent`, async () => {
    await assert.rejects(send(), { name: 'RequestFailed', status: 404, message: 'Missing required record id.' })
  })
}

test('filterOf quotes what it is given: a name cannot end the text it stands in', () => {
  assert.equal(filterOf('name={:name}', { name: `o'neil" || "" = "` }), String.raw`name="o'neil\" || \"\" = \""`)
})
