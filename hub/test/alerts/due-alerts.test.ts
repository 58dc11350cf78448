import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { decideDueAlerts } from '../../src/alerts/rules/due-alerts.ts'
import type { DuePosition } from '../../src/alerts/transitions/alert-transition.ts'
import { alertScene, MINUTE_MS } from '../alert-scene.ts'
import { databases, silentLog } from '../databases.ts'

for (const kind of databases) {
  test(
    `${kind.name}: decideDueAlerts opens no transaction while no alert is due, and fires an alert that becomes due`,
    { timeout: 300_000 },
    async () => {
      await using scene = await alertScene(kind)
      const { database } = scene.engine
      const alert = await scene.addAlert({ name: 'Status', value: 0, min: 5 })
      await scene.goDown()
      let looks = 0
      let transactions = 0
      const { promise: hasLookedTwice, resolve } = Promise.withResolvers<void>()
      await using loop = decideDueAlerts({
        database: {
          ...database,
          write(work, durability) {
            transactions += 1
            return database.write(work, durability)
          },
        },
        watch: scene.watch(),
        log: silentLog,
        settlingMs() {
          // Two rounds are over when the third begins.
          if (++looks === 3) resolve()
          return 0
        },
        startGraceMs: 0,
        lookEveryMs: 1,
      })
      await hasLookedTwice
      assert.equal(transactions, 0)
      scene.pass(5)
      // The embedded database works synchronously, so the loop needs a turn of the event loop.
      while (!(await scene.isTriggered(alert))) await new Promise((done) => setImmediate(done))
      assert.ok(loop)
    },
  )

  test(`${kind.name}: due alerts of accounts that cannot be decrypted are skipped once, and delay no other alert`, async () => {
    await using scene = await alertScene(kind)
    const { database } = scene.engine
    for (let number = 0; number < 120; number++) {
      const values = { email: `p${number}@example.com`, username: `p${number}`, role: 'admin', verified: true, password: 'none' }
      const person = await scene.insert('users', values)
      await scene.insert('alerts', { user: person.id, system: scene.system.id, name: 'Status', value: 0, min: 1 })
    }
    await scene.restart()
    await scene.goDown()
    scene.passSeconds(1)
    const mine = await scene.addAlert({ name: 'Status', value: 0, min: 1 })
    const states = database.kysely.selectFrom('alert_states').selectAll()
    assert.equal((await states.execute()).length, 120)
    await database.write(async ({ sql: unit }) => {
      await sql`update users set "tokenKey" = 'v1.damaged' where email like 'p%'`.execute(unit)
      const state = { alert: mine.id, target: '', phase: 'pending', incident: '', since: scene.now(), due: scene.now() + MINUTE_MS }
      await unit.insertInto('alert_states').values(state).execute()
    })
    scene.pass(2)
    const rounds = []
    let after: DuePosition | undefined
    do {
      after = await scene.decideDue(after)
      rounds.push(after)
    } while (after !== undefined && rounds.length < 5)
    assert.equal(rounds.length, 2)
    assert.equal(await scene.isTriggered(mine), true)
    assert.equal((await states.where('phase', '=', 'pending').execute()).length, 120)
  })

  for (const minutes of [60, 1440]) {
    test(`${kind.name}: a system that is down fires after its delay when the clock is set back by ${minutes} min`, async () => {
      await using scene = await alertScene(kind)
      const alert = await scene.addAlert({ name: 'Status', value: 0, min: 5 })
      await scene.goDown()
      scene.pass(-minutes)
      await scene.decideDue()
      scene.pass(4)
      await scene.decideDue()
      assert.equal(await scene.isTriggered(alert), false)
      scene.pass(1)
      await scene.decideDue()
      assert.equal(await scene.isTriggered(alert), true)
    })

    test(`${kind.name}: no incident ends before its beginning when the clock is set back by ${minutes} min`, async () => {
      await using scene = await alertScene(kind)
      await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
      await scene.measure({ cpu: { busyPercent: 90 } })
      scene.pass(-minutes)
      await scene.measure({ cpu: { busyPercent: 10 } })
      const [incident] = await scene.incidents()
      assert.equal(incident?.ended, incident?.began)
      const [row] = await scene.engine.store.loadWhere('alerts_history', {})
      assert.equal(row?.['resolved'], row?.['created'])
    })
  }
}
