import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { decideDueAlerts } from '../../src/alerts/rules/due-alerts.ts'
import { alertScene, MINUTE_MS } from '../alert-scene.ts'
import { databases, silentLog } from '../databases.ts'

const cpu = (busyPercent: number) => ({ cpu: { busyPercent } })
const told = (notices: readonly { readonly transition: string }[]) => notices.map(({ transition }) => transition)

for (const kind of databases) {
  test(`${kind.name}: a one-minute alert fires with the value and resolves with it, and each is notified once`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
    await scene.measure(cpu(70))
    assert.equal(await scene.isTriggered(alert), false)
    await scene.measure(cpu(90))
    await scene.measure(cpu(95))
    assert.equal(await scene.isTriggered(alert), true)
    assert.deepEqual(await scene.clientHistory(), [{ name: 'CPU', over: false }])
    await scene.measure({})
    assert.equal(await scene.isTriggered(alert), true)
    await scene.measure(cpu(80))
    assert.equal(await scene.isTriggered(alert), false)
    assert.deepEqual(await scene.clientHistory(), [{ name: 'CPU', over: true }])
    const [fired, resolved, ...more] = await scene.notices()
    assert.deepEqual([fired?.transition, resolved?.transition, more], ['fired', 'resolved', []])
    const beganMs = scene.now() - 3 * MINUTE_MS
    const common = { systemName: 'web', kind: 'CPU', threshold: 80, minutes: 1, beganMs }
    assert.deepEqual(
      [fired?.body, resolved?.body],
      [
        { ...common, value: 90 },
        { ...common, value: 80 },
      ],
    )
    const [incident] = await scene.incidents()
    assert.deepEqual([incident?.ending, incident?.value, incident?.began, incident?.ended], ['resolved', 90, beganMs, scene.now()])
    assert.equal(incident?.id, fired?.incident)
  })

  test(`${kind.name}: a five-minute alert fires on the average of its minutes, also after a restart`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'CPU', value: 80, min: 5 })
    await scene.measure(cpu(10))
    for (const busyPercent of [90, 90, 75, 90]) await scene.measure(cpu(busyPercent))
    assert.equal(await scene.isTriggered(alert), false)
    await scene.restart()
    await scene.measure(cpu(90))
    assert.equal(await scene.isTriggered(alert), true)
    const [notice] = await scene.notices()
    assert.equal(notice?.body['value'], 87)
    for (const busyPercent of [70, 70]) await scene.measure(cpu(busyPercent))
    assert.equal(await scene.isTriggered(alert), false)
  })

  test(`${kind.name}: a new alert considers the minutes before it, but no older ones`, async () => {
    await using scene = await alertScene(kind)
    for (const busyPercent of [10, 95, 95, 95]) await scene.measure(cpu(busyPercent))
    const alert = await scene.addAlert({ name: 'CPU', value: 80, min: 3 })
    scene.pass(600)
    await scene.measure(cpu(95))
    assert.equal(await scene.isTriggered(alert), false)
    const other = await scene.addAlert({ name: 'Memory', value: 80, min: 3 })
    for (let minute = 0; minute < 4; minute++)
      await scene.measure({ ...cpu(95), memory: { totalBytes: 10, usedBytes: 9, usedPercent: 90 } })
    assert.deepEqual([await scene.isTriggered(alert), await scene.isTriggered(other)], [true, true])
  })

  test(`${kind.name}: the disk alert names the fullest disk`, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'Disk', value: 80, min: 1 })
    await scene.measure({ rootDisk: { usedPercent: 40 }, extraDisks: { data: { usedPercent: 91 }, photos: { usedPercent: 85 } } })
    const [notice] = await scene.notices()
    assert.deepEqual([notice?.body['target'], notice?.body['value']], ['data', 91])
  })

  test(`${kind.name}: a system that is down fires after its delay, and its return resolves the alert`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'Status', value: 0, min: 3 })
    await scene.goDown()
    scene.pass(2)
    await scene.decideDue()
    assert.deepEqual(await scene.notices(), [])
    // The delay continues after the restart.
    await scene.restart()
    scene.pass(1)
    await scene.decideDue()
    assert.equal(await scene.isTriggered(alert), true)
    await scene.decideDue()
    await scene.measure(cpu(1))
    assert.equal(await scene.isTriggered(alert), false)
    const notices = await scene.notices()
    assert.deepEqual(told(notices), ['fired', 'resolved'])
    assert.deepEqual([notices[0]?.body['reason'], notices[0]?.body['beganMs']], ['No answer', scene.now() - 4 * MINUTE_MS])
  })

  test(`${kind.name}: decideDueAlerts fires a due alert without a new sample, once the hub has settled`, { timeout: 300_000 }, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'Status', min: 1 })
    await scene.goDown()
    scene.pass(1)
    const fired = new Promise<void>((resolve) => {
      scene.bus.subscribe(['alerts'], () => resolve())
    })
    let looks = 0
    const { database } = scene.engine
    // The first three rounds are within the settling time after a sleep.
    const settlingMs = () => ((looks += 1) > 3 ? 0 : 1000)
    await using due = decideDueAlerts({
      database,
      watch: scene.watch(),
      log: silentLog,
      settlingMs,
      startGraceMs: 0,
      lookEveryMs: 1,
    })
    await fired
    assert.ok(due !== undefined && looks > 3)
    assert.deepEqual(told(await scene.notices()), ['fired'])
  })

  test(`${kind.name}: systems that go down within the same minute are notified together`, async () => {
    await using scene = await alertScene(kind)
    const others = []
    for (const name of ['db', 'mail', 'files'])
      others.push(await scene.insert('systems', { name, status: 'up', host: name, users: [scene.owner.id], info: {} }))
    const systems = [scene.system, ...others]
    for (const { id } of systems) await scene.addAlert({ name: 'Status', system: id, min: 2 })
    for (const { id } of systems) {
      await scene.goDown(id)
      scene.passSeconds(20)
    }
    const lastDueMs = scene.now() - 20_000 + 2 * MINUTE_MS
    for (let look = 0; look < 30; look++) {
      scene.passSeconds(5)
      await scene.decideDue()
    }
    const notices = await scene.notices()
    assert.equal(notices.length, 4)
    const dues = new Set(notices.map(({ due }) => due))
    const [due = 0] = dues
    assert.ok(dues.size === 1 && due >= lastDueMs && due <= lastDueMs + 15_000, [...dues].join(' '))
  })

  test(`${kind.name}: a system that returns in time, was never up or is paused fires no alert`, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'Status', min: 3 })
    const change = (body: { readonly status: string }) => scene.change('systems', scene.system.id, body)
    await scene.goDown()
    scene.pass(2)
    await scene.measure(cpu(1))
    scene.pass(5)
    await scene.decideDue()
    // Paused during the delay.
    await scene.goDown()
    await change({ status: 'paused' })
    scene.pass(5)
    await scene.decideDue()
    // Resumed, without a sample since.
    await change({ status: 'pending' })
    await scene.goDown()
    scene.pass(5)
    await scene.decideDue()
    assert.deepEqual(await scene.notices(), [])
  })

  test(`${kind.name}: pausing a system or deleting an alert ends a firing alert without a notification`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
    await scene.measure(cpu(90))
    await scene.change('systems', scene.system.id, { status: 'paused' })
    assert.equal(await scene.isTriggered(alert), false)
    await scene.change('systems', scene.system.id, { status: 'pending' })
    await scene.measure(cpu(90))
    await scene.remove('alerts', alert.id)
    await scene.measure(cpu(10))
    assert.deepEqual(told(await scene.notices()), ['fired', 'fired'])
    assert.deepEqual(await scene.clientHistory(), [
      { name: 'CPU', over: true },
      { name: 'CPU', over: true },
    ])
    assert.deepEqual(
      (await scene.incidents()).map(({ ending }) => ending),
      ['closed', 'closed'],
    )
  })

  test(`${kind.name}: a user without access to a system gets no notification about it`, async () => {
    await using scene = await alertScene(kind)
    const alert = await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
    const other = await scene.insert('users', {
      email: 'other@example.com',
      username: 'other',
      role: 'user',
      verified: true,
      password: 'none',
    })
    await scene.engine.database.write((unit) => scene.engine.store.update(unit, 'systems', scene.system.id, { users: [other.id] }))
    await scene.measure(cpu(90))
    assert.deepEqual([await scene.notices(), await scene.isTriggered(alert)], [[], false])
  })

  test(`${kind.name}: an account that cannot be decrypted affects neither samples nor alerts of other users`, async () => {
    await using scene = await alertScene(kind)
    const lost = await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
    const other = await scene.insert('users', {
      email: 'b@example.com',
      username: 'other',
      role: 'admin',
      verified: true,
      password: 'none',
    })
    const kept = await scene.addAlert({ name: 'CPU', value: 80, min: 1, user: other.id })
    for (const [damaged, busyPercent] of [
      ['v1.damaged', 90],
      [`v1.${'A'.repeat(80)}`, 95],
    ] as const) {
      await scene.engine.database.write(({ sql: unit }) =>
        sql`update users set "tokenKey" = ${damaged} where id = ${scene.owner.id}`.execute(unit),
      )
      await scene.measure(cpu(busyPercent))
    }
    const [system] = await scene.engine.store.loadWhere('systems', { id: scene.system.id })
    const info = system?.['info'] as { readonly cpu?: number } | undefined // as the sample store wrote it
    assert.equal(info?.cpu, 95)
    assert.deepEqual([await scene.isTriggered(lost), await scene.isTriggered(kept)], [false, true])
  })

  test(`${kind.name}: a drive whose health gets worse is notified once, but a drive that always was bad is not`, async () => {
    await using scene = await alertScene(kind)
    const drive = (id: string, status: 'PASSED' | 'FAILED') => ({ id, device: `/dev/${id}`, model: 'Model', status })
    await scene.readDrives([drive('a', 'PASSED'), drive('b', 'FAILED')])
    for (let time = 0; time < 2; time++) await scene.readDrives([drive('a', 'FAILED'), drive('b', 'FAILED')])
    const [notice, ...more] = await scene.notices()
    assert.deepEqual([notice?.transition, notice?.owner, more], ['worse', scene.owner.id, []])
    assert.deepEqual([notice?.body['kind'], notice?.body['target'], notice?.body['reason']], ['Drive', '/dev/a (Model)', 'FAILED'])
  })

  test(`${kind.name}: deleting a system or a user deletes all rows of its alerts`, async () => {
    await using scene = await alertScene(kind)
    await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
    await scene.measure(cpu(90))
    await scene.remove('systems', scene.system.id)
    const { kysely } = scene.engine.database
    for (const table of ['alerts', 'alerts_history', 'alert_states', 'incidents', 'notices'])
      assert.deepEqual(await kysely.selectFrom(table).selectAll().execute(), [], table)
  })
}
