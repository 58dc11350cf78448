import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteQueueLateError } from '../../src/platform/db/database-failures.ts'
import { dataset } from '../recorded-hub.ts'
import { servedHub } from '../served-hub.ts'

type ServedHub = Awaited<ReturnType<typeof servedHub>>

/** Begins a write that lasts until `finish` is called. */
function holdQueue({ engine: { database } }: ServedHub) {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const written = database.write(async ({ sql }) => {
    begun.resolve()
    await finished
    await sql.insertInto('hub_state').values({ name: 'held', value: 'yes' }).execute()
  })
  return { finish, written, begun: begun.promise }
}

async function addSystem(hub: ServedHub, name: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${hub.port}/api/collections/systems/records`, {
    method: 'POST',
    headers: { authorization: await hub.tokenOf('super'), 'content-type': 'application/json' },
    body: JSON.stringify({ name, host: '127.0.0.1', port: '9', users: [dataset.aliases['alice'] ?? ''] }),
  })
}

const named = (hub: ServedHub, name: string) => hub.engine.store.loadWhere('systems', { name })

test('a write that waits too long gets 503 and is never executed, and a running write is finished', async () => {
  await using hub = await servedHub({ writeWaitMs: 200 })
  await hub.tokenOf('super')
  const held = holdQueue(hub)
  await held.begun
  const sample = hub.engine.database.write(async () => 'stored', 'process')
  const refused = await addSystem(hub, 'late')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
  await assert.rejects(
    hub.engine.database.write(async () => {}),
    WriteQueueLateError,
  )
  held.finish()
  // The running write and the sample took longer than the time limit.
  await held.written
  assert.equal(await sample, 'stored')
  assert.equal((await addSystem(hub, 'next')).status, 200)
  assert.deepEqual([(await named(hub, 'late')).length, (await named(hub, 'next')).length], [0, 1])
})

test('a write that starts within the time limit is executed', async () => {
  await using hub = await servedHub()
  await hub.tokenOf('super')
  const held = holdQueue(hub)
  await held.begun
  const answer = addSystem(hub, 'patient')
  assert.equal((await fetch(`http://127.0.0.1:${hub.port}/api/health`)).status, 200)
  assert.equal((await named(hub, 'patient')).length, 0)
  held.finish()
  assert.equal((await answer).status, 200)
  assert.equal((await named(hub, 'patient')).length, 1)
})
