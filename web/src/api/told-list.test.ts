import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toldList } from './told-list.ts'

const { signal } = new AbortController()
const one = (name: string) => ({ id: name.slice(0, 1), name })

test('§4 real-time: toldList applies what is told while a list is read, in order', async () => {
  const answer = Promise.withResolvers<readonly { readonly id: string; readonly name: string }[]>()
  const list = toldList(() => answer.promise)
  list.tell('update', one('a before the reading'))
  const read = list.read(signal)
  list.tell('update', one('b newer'))
  list.tell('update', one('b newest'))
  list.tell('create', one('d created'))
  list.tell('delete', one('c deleted'))
  answer.resolve([one('a as read'), one('b as read'), one('c as read')])
  assert.deepEqual(
    (await read).map(({ name }) => name),
    ['a as read', 'b newest', 'd created'],
  )
})

test('toldList forgets what was told for a reading that failed', async () => {
  let fails = true
  const list = toldList(() => (fails ? Promise.reject(new Error('no answer')) : Promise.resolve([one('a as read')])))
  const failed = list.read(signal)
  list.tell('update', one('a told'))
  await assert.rejects(failed, /no answer/)
  fails = false
  assert.deepEqual(await list.read(signal), [one('a as read')])
})
