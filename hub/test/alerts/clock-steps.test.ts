import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { universalTokensOf } from '../../src/accounts/universal-token.ts'
import { surplus } from '../../src/operations/backups/backup-folder.ts'
import { outboxOf } from '../../src/delivery/mail/outbox.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { hubData } from '../backed-up-hub.ts'
import { databases } from '../databases.ts'
import { historyScene, MINUTE_MS, rowsOf } from '../history-scene.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'
import { engineOn } from '../test-engine.ts'

const steps = [
  { name: 'an hour', minutes: 60 },
  { name: 'a day', minutes: 1440 },
]

const hook = (port: number) => `generic://127.0.0.1:${port}/?disabletls=yes&template={{title}}`

for (const kind of databases)
  for (const { name, minutes } of steps) {
    test(`${kind.name}: a delivery that waits for its next attempt is sent when the clock is set back by ${name}`, async () => {
      await using peer = await httpPeer((_one, before) => ({ status: before === 0 ? 500 : 200 }))
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [hook(peer.port)] })
      await scene.tell('i1')
      await scene.settled()
      assert.equal((await scene.deliveries())[0]?.state, 'waiting')
      await scene.pass(-minutes)
      await scene.tell('i2')
      await scene.settled()
      assert.deepEqual(
        (await scene.deliveries()).map(({ state }) => state),
        ['delivered', 'delivered'],
      )
      assert.equal(peer.received.length, 3)
    })

    test(`${kind.name}: a running delivery is not sent twice when the clock is set back by ${name}`, async () => {
      const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { promise: later, resolve: arriveLater } = Promise.withResolvers<void>()
      await using slow = await httpPeer(async () => {
        begin()
        await mayAnswer
        return { status: 200 }
      })
      await using quick = await httpPeer((_one, before) => {
        if (before === 1) arriveLater()
        return { status: 200 }
      })
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [hook(slow.port), hook(quick.port)] })
      await scene.tell('i1')
      scene.wake()
      await begun
      scene.setClock(-minutes)
      await scene.tell('i2')
      scene.wake()
      // The notifier has queried the due deliveries since the clock change.
      await later
      assert.equal(slow.received.length, 1)
      answer()
      await scene.settled()
      assert.deepEqual([slow.received.length, quick.received.length], [2, 2])
      assert.ok((await scene.deliveries()).every(({ state, attempts }) => state === 'delivered' && attempts === 1))
    })

    test(`${kind.name}: a delivery does not expire because the clock is set forward by ${name}`, async () => {
      await using peer = await httpPeer((_one, before) => ({ status: before < 3 ? 503 : 200 }))
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [hook(peer.port)] })
      await scene.tell('i1')
      await scene.settled()
      await scene.pass(minutes)
      await scene.pass(5)
      await scene.pass(5)
      assert.deepEqual([peer.received.length, (await scene.deliveries())[0]?.state], [4, 'delivered'])
    })

    test(`${kind.name}: a temporary token expires one hour after the clock was set back by ${name}`, async () => {
      await using opened = await kind.open()
      const { database, bus } = opened
      let nowMs = Date.UTC(2026, 0, 10, 12)
      const clock = { now: () => nowMs }
      const { store, secrets } = engineOn(database, clock)
      const tokens = await universalTokensOf({ database, records: store, secrets, bus, clock })
      await tokens.enable('anna', 'lent', false)
      nowMs -= minutes * 60_000
      assert.equal(tokens.temporaryTokenOwner('lent'), 'anna')
      nowMs += 3_600_000
      assert.equal(tokens.temporaryTokenOwner('lent'), undefined)
    })

    test(`${kind.name}: a queued notice is sent when the clock is set back by ${name}`, async () => {
      await using peer = await httpPeer()
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [hook(peer.port)] })
      await scene.tell('i1')
      await scene.pass(-minutes)
      assert.equal(peer.received.length, 1)
    })

    test(`${kind.name}: messages from before the clock was set back by ${name} do not count for the rate limit`, async () => {
      await using peer = await httpPeer()
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [hook(peer.port)] })
      await scene.tellAll(Array.from({ length: 25 }, (_, at) => ({ incident: `i${at}`, transition: 'fired', body: {} })))
      await scene.settled()
      assert.equal(peer.received.length, 11)
      await scene.pass(-minutes)
      await scene.tell('after')
      await scene.settled()
      assert.equal(peer.received.length, 12)
    })

    test(`${kind.name}: the message that an incident fired precedes its resolution when the clock is set back by ${name} in between`, async () => {
      await using peer = await httpPeer()
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [hook(peer.port)] })
      await scene.tell('i1')
      scene.setClock(-minutes)
      await scene.tell('i1', 'resolved')
      await scene.settled()
      assert.deepEqual(
        peer.received.map(({ body }) => body),
        ['web CPU above threshold', 'web CPU below threshold'],
      )
    })

    test(`${kind.name}: the history keeps every sample and maintenance runs when the clock is set back by ${name}`, async () => {
      await using one = await kind.open()
      const startMs = Date.UTC(2026, 0, 10, 12)
      const it = historyScene(one, startMs)
      const run = async (fromMs: number): Promise<void> => {
        for (let minute = 0; minute < 300; minute++) {
          it.advanceTo(fromMs + minute * MINUTE_MS)
          await it.append('a', it.now(), { 'cpu.busyPercent': minute % 100 })
          if (minute % 30 === 0) await it.settle()
        }
        await it.settle()
      }
      await run(startMs)
      // Half a minute apart, so that no sample replaces another.
      await run(it.now() - minutes * MINUTE_MS + 30_000)
      const shown = await it.points('1m')
      assert.equal(shown.filter(([, atMs]) => atMs > it.now()).length, 0, 'nothing of the future is shown')
      assert.ok(shown.length >= 300)
      it.advanceTo(Math.max(it.now(), startMs + 300 * MINUTE_MS))
      assert.equal((await it.points('1m')).length, 600)
      assert.ok((await rowsOf(one)).open < 200)
    })

    test(`${kind.name}: an email is sent when the clock is set back by ${name}`, async () => {
      await using opened = await kind.open()
      const { database } = opened
      const startMs = Date.UTC(2026, 0, 10, 12)
      let nowMs = startMs
      const clock = { now: () => nowMs }
      const outbox = outboxOf({ database, secrets: secretBox(randomBytes(32)), clock })
      await database.write((unit) => outbox.put(unit, { body: {}, lifetimeMs: 60_000 }))
      nowMs -= minutes * 60_000
      assert.equal(await outbox.nextDueMs(), nowMs)
      assert.equal((await outbox.take(10, () => nowMs + 10_000)).length, 1)
      assert.deepEqual([await outbox.nextDueMs(), await outbox.take(10, () => 0)], [nowMs + 10_000, []])
      nowMs -= minutes * 60_000
      assert.equal(await outbox.nextDueMs(), nowMs)
      assert.equal((await outbox.take(10, () => nowMs + 30_000))[0]?.attempts, 1)
    })
  }

test('two backups in the same second of the clock have different names', async () => {
  const [kind] = databases
  assert.ok(kind)
  // The clock was set back and shows the same second again.
  await using data = await hubData(kind, { now: () => Date.UTC(2026, 0, 10, 12) })
  await using hub = await data.open()
  const names = [
    await hub.backups.make({ by: 'schedule', passphrase: undefined }),
    await hub.backups.make({ by: 'schedule', passphrase: undefined }),
  ]
  assert.deepEqual(names, ['auto_vedette_backup_20260110120000.zip', 'auto_vedette_backup_20260110120001.zip'])
})

test('surplus keeps the backup that was just made, although the clock was set back', () => {
  const file = (name: string, modifiedAtMs: number) => ({ name: `auto_vedette_backup_${name}.zip`, bytes: 1, modifiedAtMs })
  const all = [file('made', 100), file('old', 200), file('newer', 300)]
  assert.deepEqual(surplus(all, { by: 'schedule', most: 1, made: 'auto_vedette_backup_made.zip' }), [
    'auto_vedette_backup_newer.zip',
    'auto_vedette_backup_old.zip',
  ])
  assert.deepEqual(surplus(all, { by: 'schedule', most: 2, made: 'auto_vedette_backup_made.zip' }), ['auto_vedette_backup_old.zip'])
})
