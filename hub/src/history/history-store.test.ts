import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../../test/databases.ts'
import { DAY_MS, EVER, historyScene, HOUR_MS, MINUTE_MS, rowsOf, type HistoryScene, type Point } from '../../test/history-scene.ts'
import { loadSizes, standardRetention } from './store/retention.ts'
import type { Tier } from './model/tier.ts'

const BASE_MS = Date.UTC(2026, 0, 10, 12)
const busy = (value: number) => ({ 'cpu.busyPercent': value })
/** [minutes since the base, value]. */
const shown = (points: readonly Point[]) => points.map(([, at, values]) => [(at - BASE_MS) / MINUTE_MS, values['cpu.busyPercent']])

/** One sample a minute, whose value is the minute's number. Samples of ten minutes arrive together. */
async function run(it: HistoryScene, minutes: number, system = 'a'): Promise<void> {
  const samples = Array.from({ length: minutes }, (_, minute) => ({
    system,
    atMs: BASE_MS + minute * MINUTE_MS,
    kinds: { system: pointsOf(busy(minute)), containers: pointsOf({ 'web.cpuPercent': minute / 2 }) },
  }))
  for (let first = 0; first < minutes; first += 10) {
    const some = samples.slice(first, first + 10)
    it.advanceTo(some.at(-1)?.atMs ?? it.now())
    await it.test.database.write((unit) => it.history.append(unit, some), 'process')
  }
}

for (const kind of databases) {
  test(`${kind.name}: append keeps the time of a sample and replaces a sample of the same time`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS + HOUR_MS)
    await it.append('a', BASE_MS + 123, busy(10))
    await it.append('a', BASE_MS + 60_123, busy(20))
    await it.append('a', BASE_MS + 60_123, busy(30))
    await it.append('b', BASE_MS + 123, busy(40))
    assert.deepEqual(await it.points('1m'), [
      ['a', BASE_MS + 123, busy(10)],
      ['a', BASE_MS + 60_123, busy(30)],
      ['b', BASE_MS + 123, busy(40)],
    ])
  })

  test(`${kind.name}: sealing and joining blocks, and reopening the store, do not change the points that read returns`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await run(it, 36 * 60)
    const now = BASE_MS + 36 * HOUR_MS
    it.advanceTo(now)
    const all = async (of: HistoryScene) => [
      await of.points('1m'),
      await of.points('10m'),
      await of.points('2h'),
      await of.points('1m', 'containers'),
      await of.points('10m', 'containers'),
      await of.points('2h', 'containers'),
    ]
    const open = await all(it)
    assert.deepEqual(
      open.map((points) => points.length),
      [2160, 216, 18, 2160, 216, 18],
    )
    assert.deepEqual((await rowsOf(one)).parts, [])
    await it.settle()
    const sealed = await rowsOf(one)
    assert.ok(sealed.open <= 2 * 60, `${sealed.open} samples stand open`)
    // The first day has ended and has one block per tier and kind. The second day has blocks of its ended hours.
    const of = (part: number) => sealed.parts.filter((one) => one === part).length
    assert.deepEqual([of(2), of(3), of(6), of(7), of(8), of(9)], [1, 1, 1, 1, 1, 1])
    assert.ok(of(0) >= 22 && of(0) === of(1) && of(4) === of(0) && of(5) === of(0))
    assert.deepEqual(await all(it), open)
    assert.deepEqual(await all(it.again()), open)
  })

  test(`${kind.name}: read returns all points, late ones included, while hours are sealed and days are joined`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await run(it, 36 * 60)
    it.advanceTo(BASE_MS + 36 * HOUR_MS)
    const timesOf = async (system: string, tier: Tier, from: HistoryScene = it) =>
      (await from.history.read({ systems: [system], kind: 'system', tier, window: EVER })).flatMap(({ table }) => table.times)
    const all = async () => [await timesOf('a', '1m'), await timesOf('a', '10m'), await timesOf('a', '2h')]
    const open = await all()
    let isOver = false
    const settled = it.settle().finally(() => (isOver = true))
    const late: number[] = []
    while (!isOver) {
      assert.deepEqual(await all(), open)
      late.push(BASE_MS + HOUR_MS + late.length * 1000)
      await it.append('b', late.at(-1) ?? 0, busy(1))
      assert.deepEqual(await timesOf('b', '1m'), late)
    }
    await settled
    await it.settle()
    assert.deepEqual(await all(), open)
    assert.deepEqual(await timesOf('b', '1m', it.again()), late)
  })

  test(`${kind.name}: maintain seals nothing after an abort, and the next run seals everything`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    for (const system of ['a', 'b', 'c']) await run(it, 60, system)
    it.advanceTo(BASE_MS + 4 * HOUR_MS)
    const leaving = new AbortController()
    const maintained = it.history.maintain(leaving.signal)
    leaving.abort()
    await maintained
    assert.deepEqual((await rowsOf(one)).open, 180)
    await it.settle()
    assert.deepEqual((await rowsOf(one)).open, 0)
    assert.equal((await it.points('1m')).length, 180)
  })

  test(`${kind.name}: buckets of samples so far are readable at once, and are published when they end`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    for (const [minute, value] of [
      [0, 10],
      [9, 30],
      [10, 90],
    ] as const) {
      it.advanceTo(BASE_MS + minute * MINUTE_MS)
      await it.append('a', it.now(), busy(value))
    }
    it.advanceTo(BASE_MS + 11 * MINUTE_MS)
    assert.deepEqual(shown(await it.points('10m')), [[0, 20]])
    assert.deepEqual(await it.points('2h'), [])
    it.advanceTo(BASE_MS + 121 * MINUTE_MS)
    assert.deepEqual(shown(await it.points('10m')), [
      [0, 20],
      [10, 90],
    ])
    assert.deepEqual(shown(await it.points('2h')), [[0, 43.33]])
    const [found] = await it.history.read({ kind: 'system', tier: '2h', window: EVER })
    const [column] = found?.table.series ?? []
    assert.deepEqual(
      [column?.extremes?.minimum, column?.extremes?.maximum, column?.extremes?.count],
      [Float64Array.of(10), Float64Array.of(90), Float64Array.of(3)],
    )
  })

  test(`${kind.name}: a late sample is added to its sealed hour and its buckets, before and after its day is joined`, async () => {
    for (const laterMs of [4 * HOUR_MS, 40 * HOUR_MS, 60 * DAY_MS]) {
      await using one = await kind.open()
      const it = historyScene(one, BASE_MS)
      await run(it, 180)
      it.advanceTo(BASE_MS + laterMs)
      await it.settle()
      await it.append('a', BASE_MS + 30_000, busy(100))
      await it.append('a', BASE_MS + MINUTE_MS, busy(50))
      const check = async () => {
        assert.deepEqual(shown((await it.points('1m')).slice(0, 4)), [
          [0, 0],
          [0.5, 100],
          [1, 50],
          [2, 2],
        ])
        assert.deepEqual(shown((await it.points('10m')).slice(0, 2)), [
          [0, (0 + 100 + 50 + 44) / 11].map((n) => Math.round(n * 100) / 100),
          [10, 14.5],
        ])
        const [[, whole]] = shown(await it.points('2h')) as [[number, number]]
        assert.equal(whole, Math.round((((119 * 120) / 2 - 1 + 150) / 121) * 100) / 100)
        assert.equal((await it.points('1m')).length, 181)
      }
      await check()
      it.advanceTo(BASE_MS + laterMs + 36 * HOUR_MS)
      await it.settle()
      await check()
    }
  })

  test(`${kind.name}: a late sample of a joined day counts at once, even if its hour had no samples`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await it.append('a', BASE_MS + 59 * MINUTE_MS, busy(10))
    it.advanceTo(BASE_MS + 3 * DAY_MS)
    await it.settle()
    await it.append('a', BASE_MS + 119 * MINUTE_MS, busy(20))
    const check = async () => assert.deepEqual(shown(await it.points('2h')), [[0, 15]])
    await check()
    await it.settle()
    await check()
    it.advanceTo(BASE_MS + 5 * DAY_MS)
    await it.settle()
    await check()
  })

  test(`${kind.name}: a late sample whose finer tier was dropped is added to the existing buckets`, async () => {
    for (const days of [93, 368]) {
      await using one = await kind.open()
      const it = historyScene(one, BASE_MS)
      await run(it, 120)
      it.advanceTo(BASE_MS + days * DAY_MS)
      await it.settle()
      for (const late of [30_000, 45_000]) await it.append('a', BASE_MS + late, busy(100))
      const [bucket] = (await it.history.read({ systems: ['a'], kind: 'system', tier: '2h', window: EVER })).map(
        ({ table }) => table.series[0],
      )
      assert.deepEqual([bucket?.extremes?.count[0], bucket?.extremes?.minimum[0], bucket?.extremes?.maximum[0]], [122, 0, 119])
      if (days === 93) assert.deepEqual(shown((await it.points('10m')).slice(0, 1)), [[0, Math.round((4500 + 20000) / 12) / 100]])
    }
  })

  test(`${kind.name}: append stores a sample from the future with the current time, and omits values that are not finite`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await it.append('a', BASE_MS + HOUR_MS, { ...busy(1), 'load.oneMinute': Number.NaN, 'swap.usedBytes': Number.POSITIVE_INFINITY })
    assert.deepEqual(await it.points('1m'), [['a', BASE_MS, busy(1)]])
  })

  test(`${kind.name}: no sample is lost when the clock is set back`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await run(it, 180)
    it.advanceTo(BASE_MS + 4 * HOUR_MS)
    await it.settle()
    it.advanceTo(BASE_MS + 90 * MINUTE_MS + 500)
    await it.append('a', it.now(), busy(99))
    await it.settle()
    it.advanceTo(BASE_MS + 5 * HOUR_MS)
    await it.settle()
    const points = shown(await it.points('1m'))
    assert.equal(points.length, 181)
    assert.deepEqual(points.find(([minute]) => minute !== undefined && minute > 90 && minute < 91)?.[1], 99)
  })

  test(`${kind.name}: maintain drops each tier at its own age, one whole block at a time`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await run(it, 180)
    for (const [days, expected] of [
      [89, [180, 18, 2]],
      [93, [0, 18, 2]],
      [368, [0, 0, 2]],
      [5 * 365 + 33, [0, 0, 0]],
    ] as const) {
      it.advanceTo(BASE_MS + days * DAY_MS)
      await it.settle()
      const counts = [await it.points('1m'), await it.points('10m'), await it.points('2h')].map((points) => points.length)
      assert.deepEqual(counts, expected, `${days} days`)
    }
    const sizes = await one.database.kysely.selectFrom('history_sizes').select(['blocks', 'bytes']).execute()
    assert.deepEqual(
      sizes.filter(({ blocks, bytes }) => blocks !== 0 || bytes !== 0),
      [],
    )
  })

  test(`${kind.name}: maintain drops the oldest day of the finest tier when the history exceeds its maximum size`, async () => {
    await using one = await kind.open()
    let mostBytes: number | undefined
    const it = historyScene(one, BASE_MS, { retention: async () => ({ ...standardRetention, mostBytes }) })
    await run(it, 4 * 24 * 60)
    it.advanceTo(BASE_MS + 5 * DAY_MS + 4 * HOUR_MS)
    await it.settle()
    assert.equal((await it.points('1m')).length, 4 * 1440)
    const sizes = await loadSizes(one.database.kysely)
    const [first] = sizes.filter(({ tier }) => tier === '1m')
    mostBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0) - (first?.bytes ?? 0)
    it.advanceTo(BASE_MS + 6 * DAY_MS + 4 * HOUR_MS)
    await it.settle()
    const minutes = await it.points('1m')
    assert.deepEqual([minutes.length, shown(minutes)[0]?.[0]], [3.5 * 1440, 720])
    assert.equal((await it.points('10m')).length, 4 * 144)
  })

  test(`${kind.name}: read returns only the systems, the kind and the half-open window of the query`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS + HOUR_MS)
    for (const system of ['a', 'b']) for (const minute of [0, 1, 2]) await it.append(system, BASE_MS + minute * MINUTE_MS, busy(minute))
    const window = { fromMs: BASE_MS, toMs: BASE_MS + 2 * MINUTE_MS }
    const found = await it.history.read({ systems: ['b', 'nobody'], kind: 'system', tier: '1m', window })
    assert.deepEqual(
      found.map(({ system, table }) => [system, table.times]),
      [['b', [BASE_MS, BASE_MS + MINUTE_MS]]],
    )
    assert.deepEqual(await it.history.read({ kind: 'containers', tier: '1m', window }), [])
  })

  test(`${kind.name}: a series with a single sample beside other series is read before and after sealing`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await it.append('a', it.now(), { ...busy(1), 'swap.usedBytes': 7 })
    it.advanceTo(BASE_MS + HOUR_MS)
    for (const value of [2, 3]) await it.append('a', it.now() - value, { ...busy(value), 'memory.usedBytes': 8 })
    assert.deepEqual((await it.points('1m'))[0]?.[2], { ...busy(1), 'swap.usedBytes': 7 })
    it.advanceTo(BASE_MS + 5 * HOUR_MS)
    await it.settle()
    assert.deepEqual((await it.points('1m'))[0]?.[2], { ...busy(1), 'swap.usedBytes': 7 })
  })

  test(`${kind.name}: the name of a series is kept as long as its data, and is deleted afterwards`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await it.append('a', it.now(), { ...busy(1), 'temperature.usb.celsius': 40 })
    const names = async () => {
      const rows = await one.database.kysely.selectFrom('history_series').select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    }
    for (const days of [2, 400, 5 * 365, 5 * 365 + 36]) {
      it.advanceTo(BASE_MS + days * DAY_MS)
      await it.append('a', it.now(), busy(days % 100))
      await it.settle()
      it.advanceTo(BASE_MS + (days + 2) * DAY_MS)
      await it.settle()
      assert.deepEqual(await names(), ['cpu.busyPercent', 'temperature.usb.celsius'], `${days} days`)
    }
    it.advanceTo(BASE_MS + (5 * 365 + 43) * DAY_MS)
    await it.settle()
    assert.deepEqual(await names(), ['cpu.busyPercent'])
    for (const celsius of [41, 42]) {
      it.advanceTo(it.now() + 1)
      await it.append('a', it.now(), { 'temperature.usb.celsius': celsius })
    }
    const again = it.again()
    assert.deepEqual((await again.points('1m')).at(-1)?.[2], { 'temperature.usb.celsius': 42 })
    const found = await again.history.read({ kind: 'system', tier: '1m', window: EVER })
    assert.deepEqual(
      found.flatMap(({ warnings }) => warnings),
      [],
    )
  })

  test(`${kind.name}: a series that returns after years keeps its name, although its last joined day is old`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    const usb = { 'temperature.usb.celsius': 40 }
    await it.append('a', it.now(), { ...busy(1), ...usb })
    it.advanceTo(BASE_MS + 2 * DAY_MS)
    await it.settle()
    // Shortly before the midnight after which unused names are deleted.
    const day = BASE_MS + (5 * 365 + 42) * DAY_MS
    it.advanceTo(day - (day % DAY_MS) - 2 * MINUTE_MS)
    await it.append('a', it.now(), usb)
    it.advanceTo(it.now() + 3 * MINUTE_MS)
    await it.history.maintain()
    await it.append('a', it.now(), usb)
    assert.deepEqual(
      (await it.again().points('1m')).slice(-2).map(([, , values]) => values),
      [usb, usb],
    )
  })

  test(`${kind.name}: forget deletes a system's sealed and open history, and a new system of the same id starts empty`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await run(it, 180, 'a')
    await it.append('b', it.now(), busy(7))
    it.advanceTo(BASE_MS + 4 * HOUR_MS)
    await it.settle()
    await it.history.forget('a')
    await it.append('a', it.now(), busy(1))
    assert.deepEqual(
      shown(await it.points('1m')),
      [
        [240, 1],
        [179, 7],
      ]
        .toSorted()
        .toReversed()
        .toReversed(),
    )
    await it.settle()
    assert.equal((await it.points('1m')).length, 2)
    const left = await one.database.kysely.selectFrom('history_systems').select('name').orderBy('name').execute()
    assert.deepEqual(left, [{ name: 'a' }, { name: 'b' }])
    assert.deepEqual(new Set((await rowsOf(one)).parts), new Set([0, 4]))
  })

  test(`${kind.name}: a damaged block is read as a gap with a warning, and all other blocks are read`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    await run(it, 180)
    it.advanceTo(BASE_MS + 5 * HOUR_MS)
    await it.settle()
    await one.database.write(async ({ sql }) => {
      await sql
        .updateTable('history_blocks')
        .set({ data: Uint8Array.of(1, 2, 3) })
        .where('part', '=', 0)
        .where('start', '=', BASE_MS + HOUR_MS)
        .execute()
    })
    const [found] = await it.history.read({ kind: 'system', tier: '1m', window: EVER })
    assert.equal(found?.table.times.length, 120)
    assert.deepEqual(found?.warnings, ['Cannot read minutes of an hour from 2026-01-10T13:00:00.000Z (system): it does not decompress'])
    it.advanceTo(BASE_MS + 40 * HOUR_MS)
    await it.settle()
    assert.equal((await it.points('1m')).length, 120)
    assert.equal((await it.points('10m')).length, 18, 'what was made of it is still there')
  })

  test(`${kind.name}: a failed transaction rolls back its samples and the series numbers that it assigned`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS + HOUR_MS)
    const failing = one.database.write(async (unit) => {
      await it.history.append(unit, [{ system: 'a', atMs: BASE_MS, kinds: { system: pointsOf(busy(1)) } }])
      throw new Error('on purpose')
    })
    await assert.rejects(failing, /on purpose/)
    await it.append('b', BASE_MS, { 'load.oneMinute': 2 })
    await it.append('a', BASE_MS, busy(3))
    assert.deepEqual(await it.points('1m'), [
      ['b', BASE_MS, { 'load.oneMinute': 2 }],
      ['a', BASE_MS, busy(3)],
    ])
  })

  test(`${kind.name}: read prefers a stored point over a point of the first format, in every tier`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    const next = { hour: BASE_MS + HOUR_MS, day: BASE_MS + DAY_MS }
    for (const at of [BASE_MS, next.hour, next.day]) {
      it.advanceTo(at)
      await it.append('a', at, busy(1))
    }
    it.advanceTo(next.day + 3 * HOUR_MS)
    await it.settle()
    const stored = await Promise.all((['1m', '10m', '2h'] as const).map((tier) => it.points(tier)))
    const bucket = { average: busy(2), minimum: busy(2), maximum: busy(2), count: { 'cpu.busyPercent': 1 } }
    const old = (tier: Tier, at: number) => ({
      system: 'a',
      kind: 'system',
      tier,
      at,
      data: JSON.stringify(tier === '1m' ? busy(2) : bucket),
    })
    const rows = [
      // A point of a joined day, and a point of an hour.
      ...[BASE_MS, next.day].map((at) => old('1m', at)),
      old('10m', BASE_MS),
      old('2h', BASE_MS),
    ]
    await one.database.write(async ({ sql }) => void (await sql.insertInto('history_rows').values(rows).execute()))
    const after = it.again()
    await after.settle()
    assert.deepEqual(await one.database.kysely.selectFrom('history_rows').selectAll().execute(), [])
    for (const [index, tier] of (['1m', '10m', '2h'] as const).entries()) assert.deepEqual(await after.points(tier), stored[index], tier)
  })

  test(`${kind.name}: maintain migrates history of the first format in steps, despite interruptions`, async () => {
    await using one = await kind.open()
    const rows: { system: string; kind: string; tier: string; at: number; data: string }[] = []
    for (let minute = 0; minute < 300; minute++)
      rows.push({ system: 'a', kind: 'system', tier: '1m', at: BASE_MS + minute * MINUTE_MS, data: JSON.stringify(busy(minute)) })
    const old = { average: busy(5), minimum: busy(1), maximum: busy(9), count: { 'cpu.busyPercent': 10 } }
    for (const [tier, at] of [
      ['10m', BASE_MS - DAY_MS],
      ['10m', BASE_MS],
      ['2h', BASE_MS - 40 * DAY_MS],
    ] as const)
      rows.push({ system: 'a', kind: 'system', tier, at, data: JSON.stringify(old) })
    await one.database.write(async ({ sql }) => void (await sql.insertInto('history_rows').values(rows).execute()))
    const it = historyScene(one, BASE_MS + 5 * HOUR_MS)
    await it.append('a', it.now(), busy(300))
    await it.history.maintain()
    const after = it.again()
    await after.append('a', BASE_MS + 5 * HOUR_MS - 1, busy(299.5))
    after.advanceTo(BASE_MS + 7 * HOUR_MS)
    await after.settle()
    assert.deepEqual(await one.database.kysely.selectFrom('history_rows').selectAll().execute(), [])
    assert.equal((await after.points('1m')).length, 302)
    const tens = shown(await after.points('10m'))
    assert.deepEqual(tens.slice(0, 2), [
      [-1440, 5],
      [0, 4.5],
    ])
    assert.deepEqual(shown(await after.points('2h')).slice(0, 2), [
      [-40 * 1440, 5],
      [0, 59.5],
    ])
  })
}
