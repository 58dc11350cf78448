import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { collections } from '../collections/collections.ts'
import { eventsWithViews } from './realtime-views.ts'

const admin = { id: 'one', role: 'admin', verified: true }
const unverified = { ...admin, verified: false }
const user = { ...admin, role: 'user' }

/** Events of an account, and the events that they cause in the collection of admins. */
const changes: readonly (readonly [name: string, event: Omit<RecordEvent, 'collection'>, inView: string | undefined])[] = [
  ['an admin is created', { action: 'create', record: admin }, 'create'],
  ['a user is created', { action: 'create', record: user }, undefined],
  ['an admin is changed', { action: 'update', record: { ...admin, name: 'new' }, previous: admin }, 'update'],
  ['an admin is changed in no field of the view', { action: 'update', record: admin }, 'update'],
  ['a user is changed', { action: 'update', record: user, previous: user }, undefined],
  ['a user becomes an admin', { action: 'update', record: admin, previous: user }, 'create'],
  ['an admin is verified', { action: 'update', record: admin, previous: unverified }, 'create'],
  ['an admin becomes a user', { action: 'update', record: user, previous: admin }, 'delete'],
  ['an admin is deleted', { action: 'delete', record: admin }, 'delete'],
  ['a user is deleted', { action: 'delete', record: user }, undefined],
]

for (const [name, change, action] of changes)
  test(`eventsWithViews: ${name}`, () => {
    const event = { ...change, collection: 'users' }
    const [own, ...views] = eventsWithViews(collections, event)
    assert.equal(own, event)
    assert.deepEqual(
      views.map((view) => [view.action, view.collection]),
      action === undefined ? [] : [[action, '_superusers']],
    )
  })

test('eventsWithViews: a record that leaves a view is deleted there with its old values', () => {
  const event = { action: 'update', collection: 'users', record: user, previous: admin } as const
  assert.equal(eventsWithViews(collections, event)[1]?.record, admin)
})

test('eventsWithViews: an event of a collection without views is the only event', () => {
  const event = { action: 'delete', collection: 'systems', record: admin } as const
  assert.deepEqual(eventsWithViews(collections, event), [event])
})
