import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveGrantedTags } from '../../src/accounts/groups/granted-tags.ts'
import { tagFields } from '../../src/records/model/tag.ts'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'

type Peer = Awaited<ReturnType<typeof httpPeer>>

const hook = ({ port }: Peer) => `generic://127.0.0.1:${port}/?disabletls=yes&template={{title}}`
const bodies = ({ received }: Peer) => received.map(({ body }) => body)

for (const kind of databases) {
  test(`${kind.name}: a notice that waits is not sent after the access to its system has ended, and one by a tag is`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind, 'user', true)
    const { owner, database } = scene
    const { store } = scene.engine
    await scene.channels({ webhooks: [hook(peer)] })
    const [start, end] = [scene.now() - 60_000, scene.now() + 3_600_000].map((ms) => new Date(ms).toISOString())
    const quiet = { user: owner.id, type: 'one-time', start: start ?? '', end: end ?? '' }
    await scene.insert('quiet_hours', quiet)
    for (const systemName of ['ended', 'tagged', 'deleted', 'kept']) await scene.tell(systemName, 'fired', { systemName })
    await scene.settled()
    assert.deepEqual(new Set((await scene.notices()).map(({ state }) => state)), new Set(['held']))
    await database.write(async (unit) => {
      for (const id of ['ended', 'tagged']) await store.update(unit, 'systems', id, { users: [] })
      await store.update(unit, 'systems', 'tagged', tagFields([{ tag: 'env=prod', sources: ['admin'] }]))
      await store.insert(unit, 'tag_access', { tag: 'env=prod', user: owner.id, may: 'view' })
      await deriveGrantedTags({ unit, store }, [owner.id])
    })
    await scene.remove('systems', 'deleted')
    await scene.pass(61)
    assert.deepEqual(bodies(peer).toSorted(), ['kept CPU above threshold', 'tagged CPU above threshold'])
    assert.deepEqual((await scene.notices()).map(({ system, state }) => [system, state]).toSorted(), [
      ['ended', 'quiet'],
      ['kept', 'handed'],
      ['tagged', 'handed'],
    ])
  })

  test(`${kind.name}: a delivery is not tried again after the access to the system has ended`, async () => {
    await using peer = await httpPeer(() => ({ status: 500 }))
    await using scene = await notificationScene(kind, 'user', true)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1')
    await scene.settled()
    assert.equal(peer.received.length, 1)
    await scene.database.write((unit) => scene.engine.store.update(unit, 'systems', 'web', { users: [] }))
    await scene.pass(1)
    assert.equal(peer.received.length, 1)
    assert.deepEqual(
      (await scene.deliveries()).map(({ state, said }) => [state, said]),
      [['expired', 'its notifications or its recipient were deleted, or the recipient may not view the systems']],
    )
  })
}
