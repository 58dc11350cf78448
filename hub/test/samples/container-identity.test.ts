import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statsRecords } from '../../src/history/read/stats-records.ts'
import { databases } from '../databases.ts'
import { HOUR_MS, historyScene, MINUTE_MS } from '../history-scene.ts'

const BASE_MS = Date.UTC(2026, 0, 10, 12)
const HOURS = 3

/** Returns a container's name by minute. Another version of Compose recreates the container in the middle of the second hour. */
const nameAt = (minute: number): string => (minute < 90 ? 'shop_web_1' : minute === 90 ? '3f2a9c81d0e4_shop_web_1' : 'shop-web-1')

for (const kind of databases) {
  test(`${kind.name}: a container recreated under another Compose name stays one series, before and after sealing`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS)
    for (let minute = 0; minute < HOURS * 60; minute++) {
      it.advanceTo(BASE_MS + minute * MINUTE_MS)
      const containers = { [`${nameAt(minute)}.cpuPercent`]: minute / 10, 'my_database.cpuPercent': 1 }
      await it.append('a', it.now(), { 'cpu.busyPercent': 1 }, containers)
    }
    it.advanceTo(BASE_MS + HOURS * HOUR_MS)
    const check = async (): Promise<void> => {
      const minutes = await it.points('1m', 'containers')
      assert.deepEqual(
        minutes.map(([, , values]) => values),
        minutes.map((_, minute) => ({ 'shop-web-1.cpuPercent': minute / 10, 'my_database.cpuPercent': 1 })),
      )
      assert.equal(minutes.length, HOURS * 60)
      const tens = await it.points('10m', 'containers')
      assert.deepEqual(
        new Set(tens.flatMap(([, , values]) => Object.keys(values))),
        new Set(['my_database.cpuPercent', 'shop-web-1.cpuPercent']),
      )
      // The bucket of the change contains both names, and each minute counts once.
      assert.equal(tens[9]?.[2]['shop-web-1.cpuPercent'], 9.45)
      const records = await statsRecords(it.history, 'containers', { now: it.now }).load({ type: '10m' })
      const names = records.map(({ stats }) => (Array.isArray(stats) ? stats.map((container) => Object(container)['n']) : []))
      assert.deepEqual(new Set(names.flat()), new Set(['my_database', 'shop-web-1']))
    }
    await check()
    await it.settle()
    await check()
    it.advanceTo(BASE_MS + (HOURS + 30) * HOUR_MS)
    await it.settle()
    assert.equal((await it.points('10m', 'containers'))[9]?.[2]['shop-web-1.cpuPercent'], 9.45)
  })
}
