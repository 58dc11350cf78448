import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { pointsOf } from '@vedette/protocol/metrics/series'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../../databases.ts'
import { valuesAt } from '../../stored-samples.ts'
import { foreignDate } from './foreign-history.ts'
import { addRow, foreignHubWith, importScene, lineOf, reasonsOf, systemIds } from './import-scene.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const UNTIL_MS = Date.UTC(2026, 10, 26, 14, 23, 30)
const EVER = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
const CPU = 'cpu.busyPercent'

for (const kind of databases) {
  test(`${kind.name}: a second import changes no row`, async () => {
    await using one = await kind.open()
    const scene = importScene(one, UNTIL_MS)
    const systems = systemIds(1)
    using foreign = foreignHubWith({ systems, containers: 2, untilMs: UNTIL_MS, phaseMinutes: 10 })
    const lines = await scene.take(foreign, systems)
    const rows = await scene.rows()
    assert.deepEqual(await scene.problems(), [])
    const again = await scene.take(foreign, systems)
    assert.deepEqual(await scene.rows(), rows)
    for (const { what, found, taken, present } of again) assert.deepEqual([taken, present], [0, found], what)
    assert.ok(lines.every(({ taken }) => taken > 0))
  })

  test(`${kind.name}: times with data of this hub keep it, and only empty times are filled`, async () => {
    await using one = await kind.open()
    const start = UNTIL_MS - 40 * MINUTE_MS
    const scene = importScene(one, start)
    const systems = systemIds(1)
    const [system = ''] = systems
    const history = scene.newHistory()
    const ownTimes: number[] = []
    for (let atMs = start; atMs <= UNTIL_MS; atMs += MINUTE_MS) {
      scene.advanceTo(atMs)
      ownTimes.push(atMs)
      await one.database.write((unit) => history.append(unit, [{ system, atMs, kinds: { system: pointsOf({ [CPU]: 99 }) } }]))
    }
    scene.advanceTo(UNTIL_MS)
    using foreign = foreignHubWith({ systems, containers: 0, untilMs: UNTIL_MS })
    await scene.take(foreign, systems)
    const [minutes] = await scene.newHistory().read({ systems, kind: 'system', tier: '1m', window: EVER })
    assert.ok(minutes !== undefined)
    const { table } = minutes
    assert.deepEqual(
      table.times.filter((_, at) => valuesAt(table, at)[CPU] === 99),
      ownTimes,
    )
    assert.ok(table.times.length > ownTimes.length + 15, 'the minutes before are filled')
    const gaps = table.times.slice(1).map((atMs, at) => atMs - (table.times[at] ?? 0))
    assert.ok(Math.min(...gaps) >= 30_000)
    const [tens] = await scene
      .newHistory()
      .read({ systems, kind: 'system', tier: '10m', window: { fromMs: UNTIL_MS - HOUR_MS, toMs: UNTIL_MS } })
    const at = tens?.table.times.indexOf(Date.UTC(2026, 10, 26, 13, 50)) ?? -1
    assert.equal(tens && valuesAt(tens.table, at)[CPU], 99, 'the bucket of this hub')
  })

  test(`${kind.name}: samples that follow an import are counted once, in every tier`, async () => {
    await using one = await kind.open()
    const scene = importScene(one, UNTIL_MS)
    const systems = systemIds(1)
    const [system = ''] = systems
    using foreign = foreignHubWith({ systems, containers: 1, untilMs: UNTIL_MS })
    await scene.take(foreign, systems)
    const history = scene.newHistory()
    for (let atMs = UNTIL_MS + 20_000; atMs < UNTIL_MS + 1.5 * DAY_MS; atMs += 10 * MINUTE_MS) {
      scene.advanceTo(atMs)
      await one.database.write((unit) => history.append(unit, [{ system, atMs, kinds: { system: pointsOf({ [CPU]: 50 }) } }]))
      if (atMs % HOUR_MS < 10 * MINUTE_MS) await history.maintain()
    }
    scene.advanceTo(UNTIL_MS + 3 * DAY_MS)
    for (let round = 0; round < 5; round++) await history.maintain()
    assert.deepEqual(await scene.problems(), [])
    for (const [tier, most] of [
      ['10m', 10],
      ['2h', 120],
    ] as const) {
      const [found] = await history.read({ systems, kind: 'system', tier, window: EVER })
      const column = found?.table.series.find(({ key }) => key === CPU)
      assert.ok(column?.extremes !== undefined)
      assert.ok(Math.max(...column.extremes.count) <= most, `a bucket of ${tier} has ${Math.max(...column.extremes.count)} minutes`)
      assert.equal(new Set(found?.table.times).size, found?.table.times.length)
    }
  })

  test(`${kind.name}: an import that was aborted continues, and ends as one that was not`, async () => {
    await using one = await kind.open()
    await using other = await kind.open()
    const systems = systemIds(2)
    using foreign = foreignHubWith({ systems, containers: 1, untilMs: UNTIL_MS })
    const whole = importScene(one, UNTIL_MS)
    await whole.take(foreign, systems)
    const aborted = importScene(other, UNTIL_MS)
    const controller = new AbortController()
    const plan = await aborted.plan(foreign, systems)
    await assert.rejects(
      plan.write(() => controller.abort(new Error('stopped by a test')), controller.signal),
      /stopped by a test/,
    )
    const some = (await aborted.rows()).systems.length
    assert.ok(some > 0 && some < systems.length)
    await aborted.take(foreign, systems)
    assert.deepEqual(await aborted.rows(), await whole.rows())
  })
}

test('rows that should not exist are left out with their reason, and the others are taken', async () => {
  const [kind] = databases
  await using one = await kind!.open()
  const scene = importScene(one, UNTIL_MS)
  const systems = systemIds(1)
  const [system = ''] = systems
  using foreign = foreignHubWith({ systems, containers: 1, untilMs: UNTIL_MS })
  const before = await scene.plan(foreign, systems)
  const minute = UNTIL_MS - 3 * HOUR_MS
  const row = { system, type: '1m', stats: '{"cpu":12.5}' }
  addRow(foreign, { ...row, atMs: minute })
  addRow(foreign, { ...row, atMs: minute, stats: '{"cpu":99}' })
  addRow(foreign, { ...row, atMs: minute + 20_000, stats: '{"cpu":99}' })
  addRow(foreign, {
    ...row,
    atMs: minute + 2 * MINUTE_MS,
    stats: '{"cpu":null,"la":[1,null,3],"mu":"much","t":{"a":null,"b":41},"dp":-4,"du":1e999}',
  })
  addRow(foreign, { ...row, atMs: minute + 3 * MINUTE_MS, stats: '{"cpu":' })
  addRow(foreign, { ...row, atMs: minute + 4 * MINUTE_MS, stats: 'null' })
  addRow(foreign, { ...row, atMs: minute + 5 * MINUTE_MS, stats: '{}' })
  addRow(foreign, { ...row, atMs: minute + 6 * MINUTE_MS, stats: `{"t":{"${'x'.repeat(5000)}":40}}` })
  addRow(foreign, { ...row, atMs: minute + 7 * MINUTE_MS, stats: `{"t":${'['.repeat(200_000)}${']'.repeat(200_000)}}` })
  addRow(foreign, { ...row, atMs: UNTIL_MS + HOUR_MS })
  addRow(foreign, { ...row, atMs: Date.UTC(2014, 5) })
  addRow(foreign, { ...row, atMs: 'yesterday' })
  addRow(foreign, { ...row, atMs: UNTIL_MS - 100 * DAY_MS })
  addRow(foreign, { ...row, atMs: UNTIL_MS - 89 * DAY_MS })
  addRow(foreign, { ...row, atMs: minute, type: '5m' })
  addRow(foreign, { ...row, atMs: minute, system: 'nobody' })
  addRow(foreign, { ...row, atMs: minute, type: '480m', stats: '{"cpu":-1}' })
  const names = Array.from({ length: 5000 }, (_, at) => ({ n: `c${at}`, c: 1, m: 2, b: [3, 4] }))
  addRow(foreign, { ...row, table: 'container_stats', atMs: minute, stats: JSON.stringify([...names, { c: 1 }, 7, null]) })
  addRow(foreign, { ...row, table: 'container_stats', atMs: minute + MINUTE_MS, stats: '{"n":"web"}' })
  foreign.exec(
    `insert into system_stats (id, system, type, stats, created) values ('z1', '${system}', '1m', null, '${foreignDate(minute)}')`,
  )
  foreign.exec(`insert into system_stats (id, system, type, stats, created) values ('z2', x'00ff', 7, x'00', 3.5)`)
  foreign.exec(`insert into system_stats (id, system, type, stats, created) values ('z3', '${system}', '1m', 1, ${2n ** 62n})`)
  const lines = await scene.take(foreign, systems)
  const samples = lineOf(lines, 'samples of 1 minute')
  assert.equal(samples.taken - lineOf(before.lines, 'samples of 1 minute').taken, 5)
  assert.deepEqual(reasonsOf(samples), {
    'a second one of the same time': 2,
    'its values cannot be read': 5,
    'it has no values': 1,
    'its time is in the future': 1,
    'its time is before 2015': 1,
    'its time cannot be read': 2,
    'older than this hub keeps it': 1,
    'its system is not taken': 1,
  })
  assert.ok(samples.leftOut.every(({ examples }) => examples.length > 0 && examples.length <= 3))
  assert.deepEqual(
    samples.changed.map(({ count }) => count),
    [8],
  )
  assert.equal(reasonsOf(lineOf(lines, 'averages of 8 hours'))['it has no values'] ?? 0, 0, 'it is covered')
  assert.deepEqual(reasonsOf(lineOf(lines, 'other history rows')), { 'unknown type': 1, 'its system is not taken': 1 })
  const [found] = await scene
    .newHistory()
    .read({ systems, kind: 'system', tier: '1m', window: { fromMs: minute, toMs: minute + 10 * MINUTE_MS } })
  assert.deepEqual(found?.table.times, [minute, minute + 2 * MINUTE_MS, minute + 6 * MINUTE_MS])
  assert.deepEqual(valuesAt(found.table, 1), { 'load.oneMinute': 1, 'load.fifteenMinutes': 3, 'temperature.b.celsius': 41 })
  assert.equal(valuesAt(found.table, 0)[CPU], 12.5)
  assert.ok(found.table.series.every(({ key }) => key.length < 600))
  const [containers] = await scene
    .newHistory()
    .read({ systems, kind: 'containers', tier: '1m', window: { fromMs: minute, toMs: minute + 1 } })
  assert.equal(containers?.table.series.length, 20_000)
  assert.deepEqual(await scene.problems(), [])
})

test('periods that begin at other times fill the buckets that they overlap most, and none twice', async () => {
  const [kind] = databases
  await using one = await kind!.open()
  const scene = importScene(one, UNTIL_MS)
  const systems = systemIds(1)
  const [system = ''] = systems
  using foreign = foreignHubWith({ systems: [], containers: 0, untilMs: UNTIL_MS })
  const day = Date.UTC(2026, 10, 20)
  const row = { system, stats: '' }
  addRow(foreign, { ...row, type: '120m', atMs: day + 4 * HOUR_MS + 50 * MINUTE_MS + 40, stats: '{"cpu":10,"cpum":70}' })
  addRow(foreign, { ...row, type: '120m', atMs: day + 6 * HOUR_MS + 50 * MINUTE_MS + 60, stats: '{"cpu":20}' })
  addRow(foreign, { ...row, type: '480m', atMs: day + 9 * HOUR_MS, stats: '{"cpu":30}' })
  addRow(foreign, { ...row, type: '20m', atMs: day + 20 * MINUTE_MS, stats: '{"cpu":40}' })
  addRow(foreign, { ...row, type: '10m', atMs: day + 20 * MINUTE_MS, stats: '{"cpu":50,"cpum":60}' })
  await scene.take(foreign, systems)
  const points = async (tier: '10m' | '2h') => {
    const [found] = await scene.newHistory().read({ systems, kind: 'system', tier, window: EVER })
    const column = found?.table.series.find(({ key }) => key === CPU)
    return found?.table.times.map((time, at) => [
      (time - day) / MINUTE_MS,
      column?.average[at],
      column?.extremes?.minimum[at],
      column?.extremes?.maximum[at],
      column?.extremes?.count[at],
    ])
  }
  assert.deepEqual(await points('10m'), [
    [0, 40, 40, 40, 10],
    [10, 50, 50, 60, 10],
  ])
  assert.deepEqual(await points('2h'), [
    [0, 45, 40, 60, 20],
    [120, 10, 10, 70, 120],
    [240, 20, 20, 20, 120],
    [360, 30, 30, 30, 120],
  ])
})

for (const version of ['0.9.1', '0.12.12', '0.18.8-head'])
  test(`the history of a hub ${version} is taken completely`, async () => {
    const [kind] = databases
    await using one = await kind!.open()
    const scene = importScene(one, Date.UTC(2026, 10, 27))
    using foreign = new DatabaseSync(':memory:')
    foreign.exec(readFileSync(new URL(`../foreign/${version}.sql`, import.meta.url), 'utf8'))
    const systems = foreign
      .prepare('select id from systems')
      .all()
      .map(({ id }) => String(id))
    const lines = await scene.take(foreign, systems)
    for (const [type, what] of [
      ['1m', 'samples of 1 minute'],
      ['10m', 'averages of 10 minutes'],
    ] as const) {
      const { found, taken, leftOut, changed } = lineOf(lines, what)
      const count = (table: string) => foreign.prepare(`select count(*) as rows from ${table} where type = ?`).get(type)?.['rows']
      assert.equal(found, Number(count('system_stats')) + Number(count('container_stats')))
      assert.ok(found > 0)
      assert.deepEqual([taken, leftOut, changed], [found, [], []])
    }
    for (const [table, stored] of [
      ['system_stats', 'system'],
      ['container_stats', 'containers'],
    ] as const) {
      const rows = foreign.prepare(`select system, type, created, stats from ${table} where type = '1m'`).all()
      const answers = await scene.records(stored).load({ systems, type: '1m', createdFrom: '2020-01-01 00:00:00.000Z' })
      const byKey = new Map(answers.map((record) => [`${String(record['system'])} ${String(record['created'])}`, record['stats']]))
      for (const row of rows) {
        const answer = byKey.get(`${String(row['system'])} ${String(row['created'])}`)
        assert.ok(answer !== undefined)
        assertHas(answer, JSON.parse(String(row['stats'])) as Json)
      }
    }
    assert.deepEqual(await scene.problems(), [])
  })

/** The rates of extra filesystems stand under other keys, and batteries have no state in the history. */
const elsewhere = new Set(['r', 'w', 'rb', 'wb', 'rm', 'wm'])

function assertHas(answer: Json | undefined, given: Json, path = ''): void {
  if (typeof given === 'number') return assert.equal(answer, given, path)
  if (typeof given !== 'object' || given === null) return
  const isList = Array.isArray(given) && (given as readonly Json[]).some((one) => typeof one === 'object')
  const named = (list: Json | undefined) =>
    isList ? Object.fromEntries((list as readonly { readonly n: string }[]).map((one) => [one.n, one])) : list
  const own = named(answer) as { readonly [name: string]: Json } | undefined
  for (const [name, item] of Object.entries(named(given) ?? {}) as [string, Json][])
    if (!elsewhere.has(name)) assertHas(own?.[name], item, `${path}.${name}`)
}
