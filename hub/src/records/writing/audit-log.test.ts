import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesBetween } from './audit-log.ts'

test('changesBetween lists changed values by path, and masks secrets', () => {
  const before = { name: 'a', same: 1, smtp: { host: 'x', password: 'old', port: 25 }, gone: true, list: [1] }
  const after = { name: 'b', same: 1, smtp: { host: 'x', password: 'new', port: 587 }, list: [1, 2], made: 'y', secret: '' }
  assert.deepEqual(
    changesBetween(before, after, (path) => path === 'smtp.password' || path === 'secret'),
    {
      name: ['a', 'b'],
      'smtp.password': ['***', '***'],
      'smtp.port': [25, 587],
      gone: [true, null],
      list: [[1], [1, 2]],
      made: [null, 'y'],
      secret: [null, ''],
    },
  )
})

test('changesBetween cuts values to 500 characters', () => {
  const { text } = changesBetween({}, { text: 'x'.repeat(1000) }, () => false)
  assert.equal(String(text?.[1]).length, 501)
})
