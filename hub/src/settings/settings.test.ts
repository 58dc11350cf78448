import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessEventBus } from '../platform/events/event-bus.ts'
import { silentLog } from '../../test/databases.ts'
import { followOtherHubs, SETTINGS } from './settings.ts'

const changed = (hub?: string) => ({ action: 'update', collection: SETTINGS, record: { id: 'settings' }, ...(hub && { hub }) }) as const

test('followOtherHubs reloads settings that another hub changed, and retries after a failure', async () => {
  const bus = inProcessEventBus()
  const { promise: loaded, resolve } = Promise.withResolvers<void>()
  let tries = 0
  const reload = async (): Promise<void> => {
    tries += 1
    if (tries < 3) throw new Error('the database is away')
    resolve()
  }
  await using _ = followOtherHubs({ bus, settings: { reload }, log: silentLog, retryMs: 1 })
  bus.publish(changed())
  assert.equal(tries, 0)
  bus.publish(changed('other'))
  await loaded
  assert.equal(tries, 3)
})
