import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchAlerts } from '../../../src/alerts/rules/alert-watch.ts'
import { historyStore } from '../../../src/history/history-store.ts'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { samplePipeline } from '../../../src/samples/sample-pipeline.ts'
import { databases, silentLog } from '../../databases.ts'
import { engineOn } from '../../test-engine.ts'
import { foreignHub, generationsOn, importScene, lineOf, reasonsOf } from './records-scene.ts'

const NOW_MS = Date.UTC(2026, 10, 26, 12)
const clock = { now: () => NOW_MS }
/** The alert on the CPU of `system-1`, which fires at the hub of version 0.18.8, and its incident there. */
const FIRING = { alert: '1p1k429e2hk7d4e', incident: 'r3g6yjwjv9rahtr', system: 'bl2cra9wy4068lq' }
const ADMIN = 'jfhgzel966sgj78'
const HOST = 'f3kctrf6xf1hxgh'

const alert = (id: string, columns: string) =>
  `insert into alerts (id, user, system, name, value, min) values ('${id.padEnd(15, '0')}', ${columns})`
const period = (id: string, columns: string) =>
  `insert into alerts_history (id, user, system, alert_id, name, value, created, resolved) values ('${id.padEnd(15, '0')}', ${columns})`

/** Values of the columns that an alert of an earlier hub has none of. */
const noSeverity = { clear: 0, severity: '', warning: 0, warningMinutes: 0, firing: '' }

for (const kind of databases) {
  for (const generation of generationsOn(kind))
    test(`${kind.name}: alerts and their history of ${generation} keep all values`, async () => {
      await using scene = await importScene(kind, clock)
      using foreign = foreignHub(generation)
      const plan = await scene.take(foreign)
      const rows = (table: string) =>
        foreign.database.prepare('select 1 from sqlite_schema where name = ?').all(table).length === 0
          ? []
          : foreign.database.prepare(`select * from ${table} order by id`).all()
      const stored = async (collection: string) =>
        (await scene.all(collection))
          .map(({ target, ...row }) => {
            assert.equal(target ?? '', '')
            return row
          })
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepEqual(
        await stored('alerts'),
        rows('alerts').map((row) => ({ ...row, triggered: row['triggered'] === 1, inherited: false, ...noSeverity })),
      )
      assert.deepEqual(
        await stored('alerts_history'),
        rows('alerts_history').map((row) => ({ ...row })),
      )
      assert.deepEqual([...lineOf(plan, 'alerts').changed, ...lineOf(plan, 'alert history').changed], [])
      const open = await scene.database.kysely.selectFrom('incidents').select('id').where('ended', 'is', null).orderBy('id').execute()
      assert.deepEqual(
        open,
        rows('alerts_history')
          .filter(({ resolved }) => resolved === '')
          .map(({ id }) => ({ id })),
      )
    })

  test(`${kind.name}: an alert that fires there sends exactly one notice here: that it is resolved`, async () => {
    await using scene = await importScene(kind, clock)
    using foreign = foreignHub('0.18.8-head')
    await scene.take(foreign)
    const engine = engineOn(scene.database, clock)
    const bus = inProcessEventBus()
    const history = historyStore({ db: scene.database, clock, bus, log: silentLog })
    const watch = await watchAlerts({ engine, history, bus, log: silentLog })
    const pipeline = samplePipeline({ db: scene.database, records: engine.store, history, clock, bus, alerts: watch, log: silentLog })
    const notices = () => scene.database.kysely.selectFrom('notices').select(['incident', 'transition', 'owner']).execute()
    // Still beyond the threshold of 50 %: "fired" is not sent again. The system itself is up again.
    await pipeline.store({ system: FIRING.system, sample: { cpu: { busyPercent: 93 } }, receivedAtMs: NOW_MS })
    assert.deepEqual(
      (await notices()).map(({ transition }) => transition),
      ['resolved'],
    )
    await pipeline.store({ system: FIRING.system, sample: { cpu: { busyPercent: 5 } }, receivedAtMs: NOW_MS + 60_000 })
    await pipeline.store({ system: FIRING.system, sample: { cpu: { busyPercent: 5 } }, receivedAtMs: NOW_MS + 120_000 })
    const sent = (await notices()).filter(({ incident }) => incident === FIRING.incident)
    assert.deepEqual(sent, [{ incident: FIRING.incident, transition: 'resolved', owner: ADMIN }])
    assert.equal((await scene.target.records.load('alerts', FIRING.alert))?.['triggered'], false)
    watch.close()
  })

  test(`${kind.name}: alerts that this hub cannot use are left out with a reason`, async () => {
    await using scene = await importScene(kind, clock)
    using foreign = foreignHub(
      '0.18.8-head',
      `delete from alerts`,
      `drop index idx_MnhEt21L5r`,
      alert('unknown', `'${ADMIN}', '${HOST}', 'Humidity', 80, 10`),
      alert('long', `'${ADMIN}', '${HOST}', 'CPU', 80, 61`),
      alert('first', `'${ADMIN}', '${HOST}', 'Memory', 80, 'ten'`),
      alert('second', `'${ADMIN}', '${HOST}', 'Memory', 90, 10`),
      alert('nouser', `'gone', '${HOST}', 'CPU', 80, 10`),
      alert('nosystem', `'${ADMIN}', '', 'CPU', 80, 10`),
      alert('text', `'${ADMIN}', '${HOST}', 'Disk', 'much', 10`),
      alert('percent', `'${ADMIN}', '${HOST}', 'GPU', 101, 10`),
      alert('status', `'${ADMIN}', '${HOST}', 'Status', 'x', -3`),
    )
    const plan = await scene.take(foreign)
    assert.deepEqual(reasonsOf(plan, 'alerts'), {
      '"created" was no date and is the time of the import': 2,
      '"updated" was no date and is the time of the import': 2,
      '"min" was no number of minutes and is 0': 2,
      'this hub has no such alert': 1,
      'it lasts longer than 60 minutes': 1,
      'the user has the same alert already': 1,
      'its user is not here': 1,
      'its system is not here': 1,
      'its threshold is no number': 1,
      'its threshold is beyond the limits': 1,
    })
    const taken = (await scene.all('alerts')).map(({ name, value, min }) => ({ name, value, min }))
    assert.deepEqual(
      taken.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
      [
        { name: 'Memory', value: 80, min: 0 },
        { name: 'Status', value: 0, min: 0 },
      ],
    )
  })

  test(`${kind.name}: firing periods without a firing alert end, and an alert of a paused system fires no more`, async () => {
    await using scene = await importScene(kind, clock)
    using foreign = foreignHub(
      '0.18.8-head',
      `update systems set status = 'paused' where id = '${FIRING.system}'`,
      period('dangling', `'${ADMIN}', '${HOST}', 'none', 'CPU', 50, '2026-11-20 10:00:00.000Z', ''`),
      period('backwards', `'${ADMIN}', '${HOST}', 'none', 'CPU', 50, '2026-11-20 10:00:00.000Z', '2026-11-19 10:00:00.000Z'`),
      period('timeless', `'${ADMIN}', '${HOST}', 'none', 'CPU', 50, 'long ago', ''`),
      period('unknown', `'${ADMIN}', '${HOST}', 'none', 'Humidity', 50, '2026-11-20 10:00:00.000Z', ''`),
      period('lost', `'${ADMIN}', 'gone', 'none', 'CPU', 50, '2026-11-20 10:00:00.000Z', ''`),
    )
    const plan = await scene.take(foreign)
    assert.equal(reasonsOf(plan, 'alerts')['its firing period ends: the system is paused here'], 2)
    const {
      'its time cannot be read': timeless,
      'this hub has no such alert': unknown,
      'its system is not here': lost,
    } = reasonsOf(plan, 'alert history')
    assert.deepEqual([timeless, unknown, lost], [1, 1, 1])
    const ends = new Map((await scene.all('alerts_history')).map(({ id, resolved }) => [id, resolved]))
    assert.deepEqual([ends.get('dangling0000000'), ends.get(FIRING.incident)], ['2026-11-26 12:00:00.000Z', '2026-11-26 12:00:00.000Z'])
    assert.equal(ends.get('backwards000000'), '2026-11-20 10:00:00.000Z')
    const states = await scene.database.kysely.selectFrom('alert_states').select('alert').execute()
    assert.deepEqual(
      states.map(({ alert: one }) => one),
      ['v251gidibnjkoj2'],
    )
  })

  test(`${kind.name}: long histories keep the newest incidents, and clients get fewer rows`, async () => {
    await using scene = await importScene(kind, clock)
    using foreign = foreignHub(
      '0.18.8-head',
      `delete from alerts_history`,
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 5099) insert into alerts_history (id, user, system, alert_id, name, value, created, resolved) select printf('%015d', i), '${ADMIN}', '${HOST}', 'none', 'CPU', 50, strftime('%Y-%m-%d %H:%M:%f', 1760000000 + i, 'unixepoch') || 'Z', strftime('%Y-%m-%d %H:%M:%f', 1760000030 + i, 'unixepoch') || 'Z' from n`,
    )
    const plan = await scene.take(foreign)
    assert.equal(reasonsOf(plan, 'alert history')['the newest 5000 of a user are kept'], 100)
    const listed = (await scene.all('alerts_history')).filter(({ alert_id }) => alert_id === 'none')
    const incidents = await scene.database.kysely.selectFrom('incidents').select('id').where('alert', '=', 'none').execute()
    assert.deepEqual([listed.length, incidents.length, listed[0]?.id], [200, 5000, '000000000004900'])
    const again = await scene.take(foreign)
    assert.deepEqual([lineOf(again, 'alert history').taken, lineOf(again, 'alert history').present], [0, 5000])
  })
}
