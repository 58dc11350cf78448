import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf } from '../../src/records/engine/access.ts'
import { databases } from '../databases.ts'
import { idOf, SYSTEM, TAG, taggedSystem, type Caller } from '../tagged-system.ts'

type Scene = Awaited<ReturnType<typeof taggedSystem>>

/** An open event stream of a caller. `untilMarker` resolves with all text that arrived before an event that only this caller gets. */
async function openStream(scene: Scene, caller: Caller, topics: readonly string[]) {
  const { realtime, engine } = scene.hub
  const reader = realtime.connect().getReader()
  const decoder = new TextDecoder()
  let text = ''
  const until = async (part: string): Promise<string> => {
    while (!text.includes(part)) {
      const { value, done } = await reader.read()
      assert.equal(done, false)
      text += decoder.decode(value, { stream: true })
    }
    const seen = text
    text = ''
    return seen
  }
  const { clientId } = JSON.parse(/^data:(.*)$/m.exec(await until('\n\n'))?.[1] ?? '{}') as { readonly clientId: string } // the first event
  const { status } = await scene.ask(caller, 'POST /api/realtime', { clientId, subscriptions: [...topics, 'user_settings/*'] })
  assert.equal(status, 204)
  let count = 0
  const settings = await engine.database.write((unit) => engine.store.insert(unit, 'user_settings', { user: idOf(caller), settings: {} }))
  return {
    untilMarker() {
      count += 1
      const marker = `marker ${count}.`
      void engine.database.write((unit) => engine.store.update(unit, 'user_settings', settings.id, { settings: { marker } }))
      return until(marker)
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  }
}

/** Changes a record of the system and one of its containers, as samples do. */
async function sample({ hub }: Scene, at: number): Promise<void> {
  const { database, store } = hub.engine
  await database.write(async (unit) => {
    await store.update(unit, 'systems', SYSTEM, { info: { at } })
    await store.update(unit, 'containers', 'abcdef000001', { cpu: at })
    await store.update(unit, 'system_details', SYSTEM, { hostname: `h${at}` })
  })
}

const collectionsOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/"collectionName":"(\w+)"/g)].map(([, name]) => name ?? ''))]
    .filter((name) => name !== 'user_settings')
    .toSorted()

const records = (name: string) => `/api/collections/${name}/records`

/** Changes of an admin that end the access of a caller, and one that gives it again. */
const losses: readonly (readonly [name: string, caller: Caller, end: (scene: Scene) => Promise<unknown>])[] = [
  ['the tag is removed', 'viewer', ({ ask }) => ask('admin', `PATCH ${records('systems')}/${SYSTEM}`, { 'tags-': TAG })],
  [
    'the grant is removed',
    'viewer',
    async ({ ask, hub }) => ask('admin', `DELETE ${records('tag_access')}/${await grantOf(hub, 'viewer')}`),
  ],
  [
    'the grant gets another tag',
    'changer',
    async ({ ask, hub }) => ask('admin', `PATCH ${records('tag_access')}/${await grantOf(hub, 'changer')}`, { tag: 'x' }),
  ],
  [
    'the member leaves the group',
    'changingMember',
    async ({ ask, hub }) => ask('admin', `PATCH ${records('groups')}/${await groupOf(hub, 'changers')}`, { members: [] }),
  ],
  [
    'the group is removed',
    'viewingMember',
    async ({ ask, hub }) => ask('admin', `DELETE ${records('groups')}/${await groupOf(hub, 'viewers')}`),
  ],
]

const grantOf = async ({ engine }: Scene['hub'], caller: Caller) =>
  (await engine.store.loadWhere('tag_access', { user: idOf(caller) }))[0]?.id ?? ''
const groupOf = async ({ engine }: Scene['hub'], name: string) => (await engine.store.loadWhere('groups', { name }))[0]?.id ?? ''

for (const kind of databases)
  for (const [name, caller, end] of losses)
    test(`${kind.name}: an open event stream ends to show a system when ${name}`, async () => {
      await using scene = await taggedSystem(kind)
      const { realtime, engine } = scene.hub
      const access = accessOf(engine)
      const { promise: isLost, resolve: onLost } = Promise.withResolvers<void>()
      let followers = 0
      const send = realtime.topic({
        name: 'own',
        authorise: async (actor) => (await access.viewable(actor, 'systems', SYSTEM)).id === SYSTEM,
        changed: ({ length }) => {
          if (length < followers) onLost()
          followers = length
        },
      })
      await scene.setTags([{ tag: TAG, sources: ['agent'] }])
      await using stranger = await openStream(scene, 'grantedOther', ['systems/*', 'containers/*', 'own'])
      await using before = await openStream(scene, caller, ['systems/*', 'containers/*'])
      await sample(scene, 1)
      assert.deepEqual(collectionsOf(await before.untilMarker()), [], 'the tag of an agent gives no access')
      assert.equal((await scene.ask('admin', `PATCH ${records('systems')}/${SYSTEM}`, { 'tags+': TAG })).status, 200)
      assert.deepEqual(collectionsOf(await before.untilMarker()), ['systems'], 'the system appears with its tag')
      await before[Symbol.asyncDispose]()

      await engine.database.write(async (unit) => {
        for (const { id } of await engine.store.loadWhere('user_settings', { user: idOf(caller) }, unit))
          await engine.store.remove(unit, 'user_settings', id)
      })
      await using stream = await openStream(scene, caller, [
        'systems/*',
        `systems/${SYSTEM}`,
        'containers/*',
        `system_details/${SYSTEM}`,
        'own',
      ])
      await sample(scene, 2)
      send({ own: 1 })
      const seen = await stream.untilMarker()
      assert.deepEqual(collectionsOf(seen), ['containers', 'system_details', 'systems'])
      assert.ok(seen.includes('"own":1'))

      const { status, text } = (await end(scene)) as { readonly status: number; readonly text: string }
      assert.ok(status === 200 || status === 204, text)
      await isLost
      await sample(scene, 3)
      send({ own: 2 })
      const afterwards = await stream.untilMarker()
      assert.deepEqual([collectionsOf(afterwards), afterwards.includes('"own":2')], [[], false], afterwards)
      assert.ok(!(await stranger.untilMarker()).includes(SYSTEM))
    })
