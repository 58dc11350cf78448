import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { DAY_MS, historyScene, HOUR_MS, MINUTE_MS } from '../history-scene.ts'
import { recordedHub } from '../recorded-hub.ts'

const SYSTEM = 'sys000000000005'

type Columns = {
  readonly tier: string
  readonly times: readonly number[]
  readonly series: readonly { readonly key: string; readonly average: readonly (number | null)[]; readonly minimum?: readonly number[] }[]
  readonly warnings: readonly string[]
}

for (const kind of databases) {
  test(`${kind.name}: /api/history returns any window in the finest tier that fits`, async () => {
    await using hub = await recordedHub(kind)
    const now = Date.now()
    const start = Math.floor((now - 3 * DAY_MS) / (2 * HOUR_MS)) * 2 * HOUR_MS
    const it = historyScene(hub.test, start)
    for (let first = 0; start + first * MINUTE_MS < now - HOUR_MS; first += 120) {
      const samples = Array.from({ length: 120 }, (_, at) => ({
        system: SYSTEM,
        atMs: start + (first + at) * MINUTE_MS,
        kinds: {
          system: pointsOf({
            'cpu.busyPercent': at,
            ...(at === 5 ? { 'temperature.cpu.celsius': 40 } : {}),
            'load.oneMinute': 2,
            'load.fiveMinutes': 3,
          }),
          containers: pointsOf({ 'web.cpuPercent': 1 }),
        },
      })).filter(({ atMs }) => atMs <= now)
      it.advanceTo(samples.at(-1)?.atMs ?? now)
      await hub.engine.database.write((unit) => it.history.append(unit, samples), 'process')
    }
    it.advanceTo(now)
    await it.settle()
    const authorization = await hub.tokenOf('alice')
    const ask = async (query: Record<string, string | number>, accept = '*/*') => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      return hub.app.request(`/api/history/${SYSTEM}?${search.toString()}`, { headers: { authorization, accept } })
    }
    const columns = async (query: Record<string, string | number>) => (await (await ask(query)).json()) as Columns // the contract

    const hour = await columns({ from: start + HOUR_MS, to: start + 2 * HOUR_MS })
    assert.deepEqual([hour.tier, hour.times.length, hour.times[0]], ['1m', 60, start + HOUR_MS])
    assert.deepEqual(
      hour.series.map(({ key, average }) => [key, average.at(-1)]),
      [
        ['cpu.busyPercent', 119],
        ['load.fiveMinutes', 3],
        ['load.oneMinute', 2],
      ],
    )
    const some = await columns({ from: start, to: start + HOUR_MS, series: 'load.oneMinute,cpu.busyPercent,unknown' })
    assert.deepEqual([some.times.length, some.series.map(({ key }) => key)], [60, ['cpu.busyPercent', 'load.oneMinute']])
    assert.deepEqual((await columns({ from: start, to: start + HOUR_MS, series: '__proto__' })).series, [])
    const tooMany = Array.from({ length: 33 }, (_, at) => `load.${at}`).join(',')
    assert.equal((await ask({ from: start, to: start + HOUR_MS, series: tooMany })).status, 400)
    const days = await columns({ from: start, to: start + 2 * DAY_MS, points: 400 })
    assert.deepEqual([days.tier, days.times.length, days.series[0]?.minimum?.[0]], ['10m', 288, 0])
    const few = await columns({ from: start, to: start + 2 * DAY_MS, points: 30 })
    assert.deepEqual([few.tier, few.times.length], ['2h', 24])
    const sensors = await columns({ from: start, to: start + 10 * MINUTE_MS, kind: 'sensors' })
    assert.deepEqual(
      sensors.series.map(({ key, average }) => [key, average]),
      [['temperature.cpu.celsius', [null, null, null, null, null, 40, null, null, null, null]]],
    )
    assert.equal((await columns({ from: start, to: start + HOUR_MS, kind: 'containers' })).series[0]?.key, 'web.cpuPercent')

    const bytes = await ask({ from: start, to: start + DAY_MS, points: 2000 }, 'application/vnd.vedette.columns')
    assert.equal(bytes.headers.get('content-type'), 'application/vnd.vedette.columns')
    const json = await ask({ from: start, to: start + DAY_MS, points: 2000 })
    assert.ok((await bytes.arrayBuffer()).byteLength * 5 < (await json.arrayBuffer()).byteLength)
    assert.equal((await ask({ from: 5, to: 4 })).status, 400)
  })
}
