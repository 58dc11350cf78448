import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { HOUR_MS, historyScene, MINUTE_MS } from '../../../test/history-scene.ts'
import { pushedRollUps } from './pushed-roll-ups.ts'
import { statsRecords } from './stats-records.ts'

const BASE_MS = Date.UTC(2026, 0, 10, 8)

for (const kind of databases) {
  test(`${kind.name}: a roll-up is published once, as a create event, when its bucket ends`, async () => {
    await using one = await kind.open()
    const it = historyScene(one, BASE_MS - 1)
    const clock = { now: it.now }
    const sources = new Map([['system_stats', statsRecords(it.history, 'system', clock)]])
    const tick = pushedRollUps({ bus: one.bus, sources, systems: async () => ['aaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbb'], clock })
    for (let minute = 0; minute <= 121; minute++) {
      it.advanceTo(BASE_MS + minute * MINUTE_MS)
      await it.append('aaaaaaaaaaaaaaa', it.now(), { 'cpu.busyPercent': minute })
      await tick()
    }
    const told = one.events.map(({ action, record }) => [action, record['system'], record['type'], record['created']])
    assert.equal(told.length, 12 + 6 + 1)
    assert.ok(told.every(([action, system]) => action === 'create' && system === 'aaaaaaaaaaaaaaa'))
    assert.deepEqual(told.at(0)?.slice(2), ['10m', '2026-01-10 08:10:00.000Z'])
    assert.deepEqual(
      told.filter(([, , type]) => type === '120m').map(([, , , created]) => created),
      ['2026-01-10 10:00:00.000Z'],
    )
    const [first] = one.events
    const stored = await sources.get('system_stats')?.loadOne(String(first?.record.id))
    assert.deepEqual({ ...first?.record }, { ...stored }, 'what is told is what is listed')
    it.advanceTo(BASE_MS + 9 * HOUR_MS)
    await tick()
    assert.equal(one.events.length, 19, 'what a sleeping hub slept through is not told')
  })
}
