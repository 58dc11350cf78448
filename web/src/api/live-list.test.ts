import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { applyEvents, liveList } from './live-list.ts'
import { queryClient } from './server-query.ts'

type Named = { readonly id: string; readonly name: string }

const key = ['named']
const one = (name: string): Named => ({ id: name.slice(0, 1), name })
const listOf = (fetch: () => Promise<readonly Named[]>) => {
  const list = liveList<Named>(key, fetch)
  return { ...list, read: () => queryClient.fetchQuery({ ...list.query, retry: false, staleTime: 0 }) }
}
const shown = () => queryClient.getQueryData<readonly Named[]>(key)?.map(({ name }) => name)

afterEach(() => queryClient.clear())

test('§4 real-time: liveList applies the events that arrive while a list is read, in order', async () => {
  const response = Promise.withResolvers<readonly Named[]>()
  const list = listOf(() => response.promise)
  list.apply('update', one('a before the reading'))
  const read = list.read()
  list.apply('update', one('b newer'))
  list.apply('update', one('b newest'))
  list.apply('create', one('d created'))
  list.apply('delete', one('c deleted'))
  response.resolve([one('a as read'), one('b as read'), one('c as read')])
  await read
  assert.deepEqual(shown(), ['a as read', 'b newest', 'd created'])
})

test('§4 real-time: liveList shows one record as read again, unless an event about it has arrived meanwhile', async () => {
  const list = listOf(() => Promise.resolve([one('a as read'), one('b as read')]))
  await list.read()
  for (const [event, expected] of [
    [one('b event'), ['a as read again', 'b event']],
    [one('a event'), ['a event', 'b event']],
  ] as const) {
    const response = Promise.withResolvers<Named>()
    const renewed = list.renewOne('a', () => response.promise)
    list.apply('update', event)
    response.resolve(one('a as read again'))
    await renewed
    assert.deepEqual(shown(), expected)
  }
})

test('§4 real-time: liveList reads again when the events are subscribed during its first reading', async () => {
  const responses = [Promise.withResolvers<readonly Named[]>(), Promise.withResolvers<readonly Named[]>()]
  const started = Promise.withResolvers<undefined>()
  let calls = 0
  const list = listOf(() => {
    started.resolve(undefined)
    return responses[calls++]?.promise ?? Promise.reject(new Error('read too often'))
  })
  const read = list.read()
  await started.promise
  list.renew()
  list.apply('update', one('a event'))
  responses[0]?.resolve([one('a as read')])
  responses[1]?.resolve([one('a as read again'), one('b created between reading and subscription')])
  await read
  assert.deepEqual(shown(), ['a as read again', 'b created between reading and subscription'])
  assert.equal(calls, 2)
})

test('liveList discards the events that arrived during a failed reading', async () => {
  let fails = true
  const list = listOf(() => (fails ? Promise.reject(new Error('no response')) : Promise.resolve([one('a as read')])))
  const failed = list.read()
  list.apply('update', one('a event'))
  await assert.rejects(failed, /no response/)
  fails = false
  await list.read()
  assert.deepEqual(shown(), ['a as read'])
})

test('liveList shows a change while it is saved, and reverts it when the hub refuses it', async () => {
  const [before, after] = [one('a before'), one('a after')]
  const list = listOf(() => Promise.resolve([before]))
  await list.read()
  const written = Promise.withResolvers<string>()
  const accepted = list.change(before, after, () => written.promise)
  assert.deepEqual(shown(), ['a after'])
  written.resolve('stored')
  assert.equal(await accepted, 'stored')
  assert.deepEqual(shown(), ['a after'])
  await assert.rejects(
    list.change(after, one('a refused'), () => Promise.reject(new Error('refused'))),
    /refused/,
  )
  assert.deepEqual(shown(), ['a after'])
})

test('liveList keeps an event that arrived while a refused change was saved', async () => {
  const before = one('a before')
  const list = listOf(() => Promise.resolve([before]))
  await list.read()
  const written = Promise.withResolvers<never>()
  const refused = list.change(before, one('a mine'), () => written.promise)
  list.apply('update', one('a of another browser'))
  written.reject(new Error('refused'))
  await assert.rejects(refused, /refused/)
  assert.deepEqual(shown(), ['a of another browser'])
})

const atlas = { id: 'a', name: 'atlas' }
const borealis = { id: 'b', name: 'borealis' }

test('§4 real-time: applyEvents replaces an updated record in place and leaves the others untouched', () => {
  const after = applyEvents([atlas, borealis], [{ action: 'update', record: { id: 'a', name: 'atlas-2' } }])
  assert.deepEqual(after, [{ id: 'a', name: 'atlas-2' }, borealis])
  assert.equal(after[1], borealis)
})

for (const action of ['create', 'update']) {
  test(`§4 real-time: applyEvents appends a new record on ${action}`, () => {
    assert.deepEqual(applyEvents([atlas], [{ action, record: borealis }]), [atlas, borealis])
  })
}

test('§4 real-time: applyEvents removes a deleted record', () => {
  assert.deepEqual(applyEvents([atlas, borealis], [{ action: 'delete', record: atlas }]), [borealis])
})

test('liveList applies received events together, in order, and before a later change', async () => {
  const list = listOf(() => Promise.resolve([one('a as read'), one('b as read')]))
  await list.read()
  const changes: unknown[] = []
  const stop = queryClient.getQueryCache().subscribe(({ type }) => type === 'updated' && changes.push(shown()))
  list.receive('update', one('a first'))
  list.receive('update', one('a second'))
  list.receive('create', one('c created'))
  list.receive('delete', one('b deleted'))
  assert.deepEqual(shown(), ['a as read', 'b as read'])
  list.apply('update', one('c changed'))
  stop()
  assert.deepEqual(changes, [['a second', 'c changed']])
})

test('liveList shows received events without a further call', async () => {
  const list = listOf(() => Promise.resolve([one('a as read')]))
  await list.read()
  const updated = Promise.withResolvers<void>()
  const stop = queryClient.getQueryCache().subscribe(({ type }) => type === 'updated' && updated.resolve())
  list.receive('update', one('a event'))
  await updated.promise
  stop()
  assert.deepEqual(shown(), ['a event'])
})
