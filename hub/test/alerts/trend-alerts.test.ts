import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchTrends } from '../../src/alerts/trends/trend-watch.ts'
import { alertScene, type AlertScene } from '../alert-scene.ts'
import { databases, silentLog } from '../databases.ts'
import { storePastValues } from '../past-history.ts'

/** A hub starts, evaluates all trends once, and stops. */
async function evaluate(scene: AlertScene, owns = (_system: string) => true): Promise<void> {
  await using trends = trendsOf(scene, owns)
  await trends.run()
}

function trendsOf(scene: AlertScene, owns = (_system: string) => true) {
  const { database, clock } = scene.engine
  return watchTrends({
    database,
    history: scene.history,
    clock,
    watch: scene.watch(),
    log: silentLog,
    owns,
    firstMs: 600_000,
  })
}

type Values = (hour: number) => Readonly<Record<string, number>>
const root =
  (valueAt: (hour: number) => number): Values =>
  (hour) => ({ 'disk.usedPercent': valueAt(hour) })
const store = (scene: AlertScene, valuesAt: Values, days = 7) =>
  storePastValues(scene.history, { system: scene.system.id, untilMs: scene.now(), days, valuesAt })
const told = async (scene: AlertScene) => (await scene.notices()).map(({ transition, body }) => [transition, body['target']])

for (const kind of databases) {
  test(`${kind.name}: a disk forecast fires once, names the soonest disk, and resolves when the disk stops growing`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'DiskForecast', value: 48, min: 1 })
    await store(scene, (hour) => ({
      'disk.usedPercent': 60,
      'filesystem./srv.usedPercent': 84 + hour / 2,
      'filesystem./var.usedPercent': 82 + hour / 2,
    }))
    scene.pass(2)
    await evaluate(scene)
    assert.equal(await scene.isTriggered(alert), true)
    const [notice] = await scene.notices()
    const { value, target, threshold, range } = notice?.body ?? {}
    assert.deepEqual([target, threshold], ['/srv', 48])
    assert.ok(typeof value === 'number' && Math.abs(value - 32) < 0.5, `${String(value)} h`)
    assert.deepEqual(Object.keys(Object(range)), ['low', 'high'])
    await scene.restart()
    await evaluate(scene)
    assert.deepEqual(await told(scene), [['fired', '/srv']])
    // A day later files were deleted, and nothing grew since.
    scene.pass(24 * 60 - 2)
    await store(scene, () => ({ 'disk.usedPercent': 60, 'filesystem./srv.usedPercent': 50, 'filesystem./var.usedPercent': 50 }), 1)
    scene.pass(2)
    await scene.restart()
    await evaluate(scene)
    assert.equal(await scene.isTriggered(alert), false)
    assert.deepEqual(await told(scene), [
      ['fired', '/srv'],
      ['resolved', '/srv'],
    ])
    const [incident] = await scene.incidents()
    assert.deepEqual([incident?.kind, incident?.target, incident?.ending], ['DiskForecast', '/srv', 'resolved'])
  })

  const silent: readonly (readonly [title: string, valueAt: (hour: number) => number])[] = [
    ['one copied file', (hour) => (hour < -10 ? 30 : 90)],
    ['a constant', () => 95],
    ['no values for 3 h', (hour) => (hour > -3 ? Number.NaN : 90 + hour / 2)],
    ['daily log rotation', (hour) => 60 + ((hour + 240) % 24)],
    ['a growth that takes 4 days more', (hour) => 60 + hour * 0.4],
  ]
  for (const [title, valueAt] of silent)
    test(`${kind.name}: a disk forecast does not fire for ${title}`, async () => {
      await using scene = await alertScene(kind)
      await scene.addAlert({ name: 'DiskForecast', value: 48, min: 1 })
      await store(scene, root(valueAt))
      scene.pass(2)
      await evaluate(scene)
      assert.deepEqual(await scene.notices(), [])
    })

  test(`${kind.name}: an uncertain forecast leaves a firing alert as it is, also without new values`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'DiskForecast', value: 48, min: 1 })
    await store(
      scene,
      root((hour) => 90 + hour / 2),
    )
    scene.pass(2)
    await evaluate(scene)
    scene.pass(5 * 60)
    await scene.restart()
    await evaluate(scene)
    assert.equal(await scene.isTriggered(alert), true)
    assert.deepEqual(await told(scene), [['fired', 'root']])
  })

  test(`${kind.name}: trends of a paused or down system, and of another hub's system, are not judged`, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'DiskForecast', value: 48, min: 1 })
    await store(
      scene,
      root((hour) => 90 + hour / 2),
    )
    scene.pass(2)
    await evaluate(scene, () => false)
    await scene.goDown()
    await evaluate(scene)
    assert.deepEqual(await scene.notices(), [])
  })

  test(`${kind.name}: a hub that took a system over evaluates its forecast again as soon as it may decide`, async () => {
    let mayDecide = false
    await using scene = await alertScene(kind, () => mayDecide)
    const alert = await scene.addAlert({ name: 'DiskForecast', value: 48, min: 1 })
    await store(
      scene,
      root((hour) => 90 + hour / 2),
    )
    scene.pass(2)
    await using trends = trendsOf(scene)
    await trends.run()
    assert.equal(await scene.isTriggered(alert), false)
    mayDecide = true
    await trends.run()
    assert.equal(await scene.isTriggered(alert), true)
    await trends.run()
    assert.deepEqual(await told(scene), [['fired', 'root']])
  })

  test(`${kind.name}: a forecast of a policy fires on its systems, and not for users who may not see them`, async () => {
    await using scene = await alertScene(kind)
    const stranger = await scene.insert('users', { email: 's@example.com', username: 's', role: 'user', verified: true, password: 'none' })
    for (const user of [scene.owner.id, stranger.id])
      await scene.insert('alert_policies', { user, name: 'DiskForecast', values: { threshold: 48, clear: 60 } })
    await scene.insert('alerts', { user: stranger.id, system: scene.system.id, name: 'MemoryForecast', value: 48, min: 1 })
    await scene.restart()
    await store(scene, (hour) => ({ 'disk.usedPercent': 90 + hour / 2, 'memory.usedPercent': 90 + hour / 2 }))
    scene.pass(2)
    await evaluate(scene)
    const notices = await scene.notices()
    assert.deepEqual(
      notices.map(({ transition, owner, body }) => [transition, owner, body['kind']]),
      [['fired', scene.owner.id, 'DiskForecast']],
    )
    await scene.restart()
    await evaluate(scene)
    assert.equal((await scene.notices()).length, 1)
  })

  test(`${kind.name}: a rate of change fires while memory grows for most of the minutes, and not for a step`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'MemoryRate', value: 20, min: 10 })
    const memory = (usedPercent: number) => ({ memory: { totalBytes: 100, usedBytes: usedPercent, usedPercent } })
    for (const percent of [20, 20, 20, 20, 20, 20, 60, 60, 60, 60, 60, 60, 60]) await scene.measure(memory(percent))
    await evaluate(scene)
    assert.equal(await scene.isTriggered(alert), false)
    for (let minute = 1; minute <= 11; minute++) await scene.measure(memory(60 + minute))
    await evaluate(scene)
    assert.equal(await scene.isTriggered(alert), true)
    const [notice] = await scene.notices()
    assert.ok(Math.abs(Number(notice?.body['value']) - 60) < 0.5)
    // No samples for some minutes: unknown.
    scene.pass(5)
    await evaluate(scene)
    assert.equal(await scene.isTriggered(alert), true)
    for (let minute = 1; minute <= 12; minute++) await scene.measure(memory(71))
    await scene.restart()
    await evaluate(scene)
    assert.deepEqual(
      (await scene.notices()).map(({ transition }) => transition),
      ['fired', 'resolved'],
    )
  })

  test(`${kind.name}: values in the future, from before the clock was set back, make no forecast`, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'DiskForecast', value: 48, min: 1 })
    await store(
      scene,
      root((hour) => 90 + hour / 2),
    )
    scene.pass(-8 * 24 * 60)
    await evaluate(scene)
    scene.pass(8 * 24 * 60 + 2)
    assert.deepEqual(await scene.notices(), [])
    await evaluate(scene)
    assert.deepEqual(await told(scene), [['fired', 'root']])
  })
}
