import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longName } from './long-name.ts'

test('longName keeps an image with its digest whole', () => {
  const image = `registry.example.org:5000/team/${'project/'.repeat(10)}image:1.2@sha256:${'0123456789abcdef'.repeat(4)}`
  assert.equal(longName(image), image)
})

test('bug class 25: longName removes control characters and shortens very long names', () => {
  assert.equal(longName('a\u001b[31mb'), 'ab')
  assert.equal(longName('x'.repeat(1000)).length, 128)
})
