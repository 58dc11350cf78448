import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listIncidents } from '../../src/alerts/incidents/incident-list.ts'
import { putNotice } from '../../src/alerts/notifications/notice-outbox.ts'
import { startNotifier } from '../../src/alerts/notifications/notifier.ts'
import { tagFields, type SourcedTag } from '../../src/records/model/tag.ts'
import { settingsOf } from '../../src/settings/settings.ts'
import { alertScene } from '../alert-scene.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { webPushKey } from '../told-channel.ts'

/** A person with a webhook, systems of that person with an alert `Status` each, and the notifier on the scene's clock. */
async function networkScene(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const peer = stack.use(await httpPeer())
  const scene = stack.use(await alertScene(kind))
  const { engine, owner, bus } = scene
  const { database, store } = engine
  const hook = `generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`
  await scene.insert('user_settings', { user: owner.id, settings: { webhooks: [hook] } })
  const settings = settingsOf(database, engine.secrets)
  const notifier = await startNotifier({
    engine,
    settings,
    bus,
    webPushKey,
    appUrl: 'https://hub.example/',
    internalDestinations: true,
    log: silentLog,
  })
  stack.defer(() => notifier.close())

  async function settled(): Promise<void> {
    notifier.wake()
    await notifier.settled()
  }

  async function addSystem(id: string, behind: readonly string[], source: SourcedTag['sources'][number] = 'admin', users = [owner.id]) {
    const tags = tagFields(behind.map((name) => ({ tag: `behind=${name}`, sources: [source] })))
    await scene.insert('systems', { id, name: id, status: 'up', host: id, users, info: {}, ...tags })
  }

  return {
    scene,
    settled,
    addSystem,
    addWatched: async (id: string, behind: readonly string[] = [], source?: SourcedTag['sources'][number]) => {
      await addSystem(id, behind, source)
      await scene.addAlert({ system: id, name: 'Status', min: 1 })
    },
    goDown: async (...ids: readonly string[]) => {
      for (const id of ids) await scene.goDown(id)
    },
    comeUp: async (id: string) => {
      await scene.measureOn(id, { cpu: { busyPercent: 1 } })
      await settled()
    },
    /** Time passes; alerts whose waiting time is over fire, and the notifier works. */
    pass: async (seconds: number) => {
      scene.passSeconds(seconds)
      await scene.decideDue()
      await settled()
    },
    received: () => peer.received.map(({ body }) => body.replaceAll(/[^\w -]/gu, '').trim()),
    incidents: async () => {
      const facts = { actor: owner, context: 'default', method: 'GET', query: {}, headers: {} } as const
      const listed = await listIncidents(engine, { owner: owner.id, facts, most: 10 })
      return listed.map(({ systemName, silenced, cause }) => [systemName, silenced, cause]).toSorted()
    },
    store,
    database,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

for (const kind of databases) {
  test(`${kind.name}: a router that is down silences the systems behind it, and they are shown as silenced`, async () => {
    await using net = await networkScene(kind)
    await net.addWatched('router')
    await net.addWatched('shop', ['router'])
    await net.addWatched('other')
    await net.goDown('shop', 'other')
    net.scene.passSeconds(20)
    await net.goDown('router')
    await net.pass(41)
    await net.pass(40)
    assert.deepEqual(net.received().toSorted(), ['Connection to other is down', 'Connection to router is down'])
    assert.deepEqual(await net.incidents(), [
      ['other', false, null],
      ['router', false, null],
      ['shop', true, 'router'],
    ])
    await net.comeUp('router')
    await net.comeUp('shop')
    await net.pass(600)
    assert.deepEqual(net.received().slice(2), ['Connection to router is up'])
    assert.deepEqual((await net.incidents()).at(-1), ['shop', true, 'router'])
  })

  test(`${kind.name}: an alert that outlasts its cause by two minutes is sent, once`, async () => {
    await using net = await networkScene(kind)
    await net.addWatched('router')
    await net.addWatched('shop', ['router'])
    await net.goDown('router', 'shop')
    await net.pass(61)
    await net.pass(300)
    assert.deepEqual(net.received(), ['Connection to router is down'])
    await net.comeUp('router')
    await net.pass(30)
    await net.pass(80)
    assert.equal(net.received().length, 2)
    await net.pass(10)
    await net.pass(600)
    assert.deepEqual(net.received(), ['Connection to router is down', 'Connection to router is up', 'Connection to shop is down'])
    assert.deepEqual((await net.incidents()).at(-1), ['shop', false, null])
    await net.comeUp('shop')
    assert.equal(net.received().at(-1), 'Connection to shop is up')
  })

  test(`${kind.name}: nothing is silenced without a message about the cause, by a tag of an agent, by a hidden system, a circle or an unknown name`, async () => {
    await using net = await networkScene(kind)
    await net.addSystem('unwatched', [])
    await net.addSystem('hidden', [], 'admin', [])
    await net.scene.addAlert({ system: 'hidden', name: 'Status', min: 1 })
    await net.addWatched('router')
    await net.addWatched('a', ['unwatched'])
    await net.addWatched('b', ['router'], 'agent')
    await net.addWatched('c', ['hidden'])
    await net.addWatched('d', ['e'])
    await net.addWatched('e', ['d'])
    await net.addWatched('f', ['nothing'])
    const all = ['unwatched', 'hidden', 'router', 'a', 'b', 'c', 'd', 'e', 'f']
    await net.goDown(...all)
    await net.pass(61)
    await net.pass(60)
    assert.deepEqual(
      (await net.scene.notices()).map(({ system, state }) => [system, state]).toSorted(),
      all
        .slice(2)
        .map((id) => [id, 'handed'])
        .toSorted(),
    )
    assert.deepEqual(
      (await net.incidents()).filter(([, silenced]) => silenced),
      [],
    )
  })

  test(`${kind.name}: a host that is down silences the alerts of its containers`, async () => {
    await using net = await networkScene(kind)
    await net.addWatched('host')
    const alert = await net.scene.addAlert({ system: 'host', name: 'Container', target: 'db', min: 1 })
    await net.goDown('host')
    const nowMs = net.scene.now()
    await net.database.write(async (unit) => {
      await unit.sql
        .insertInto('incidents')
        .values({
          id: 'i1',
          alert: alert.id,
          owner: net.scene.owner.id,
          system: 'host',
          kind: 'Container',
          target: 'db',
          threshold: 0,
          minutes: 1,
          value: null,
          began: nowMs,
          ended: null,
          ending: '',
        })
        .execute()
      const body = { systemName: 'host', kind: 'Container', target: 'db', reason: 'stopped', beganMs: nowMs }
      await putNotice(unit, { incident: 'i1', transition: 'fired', owner: net.scene.owner.id, system: 'host', atMs: nowMs, body })
    })
    await net.settled()
    assert.deepEqual(await net.incidents(), [['host', true, 'host']])
    await net.pass(61)
    assert.deepEqual(net.received(), ['Connection to host is down'])
  })

  test(`${kind.name}: a "resolved" is not sent before its "fired"`, async () => {
    await using net = await networkScene(kind)
    await net.addWatched('web-1')
    const atMs = net.scene.now()
    const notice = { incident: 'i1', owner: net.scene.owner.id, system: 'web-1', atMs } as const
    const body = { systemName: 'web-1', kind: 'Status', beganMs: atMs }
    await net.database.write(async (unit) => {
      await putNotice(unit, { ...notice, transition: 'fired', body }, atMs + 60_000)
      await putNotice(unit, { ...notice, transition: 'resolved', body })
    })
    await net.settled()
    assert.deepEqual(net.received(), [])
    await net.pass(60)
    assert.deepEqual(net.received(), ['Connection to web-1 is down', 'Connection to web-1 is up'])
  })
}
