import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveHistoryTail } from '../../src/history/read/live-tail.ts'
import { columnsJson } from '../../src/history/read/columns.ts'
import { sampleEvents } from '../../src/history/read/stats-records.ts'
import { accessOf } from '../../src/records/engine/access.ts'
import { databases } from '../databases.ts'
import { following } from '../followed-topic.ts'
import { historyScene } from '../history-scene.ts'
import { recordedHub } from '../recorded-hub.ts'

const SYSTEM = 'sys000000000005'
const NOW_MS = Date.UTC(2026, 0, 10)

for (const kind of databases) {
  test(`${kind.name}: history/ streams send a new sample to subscribers that may view the system, in the requested kind`, async () => {
    await using hub = await recordedHub(kind)
    const it = historyScene(hub.test, NOW_MS)
    const stop = serveHistoryTail({
      realtime: hub.realtime,
      access: accessOf(hub.engine),
      bus: hub.test.bus,
    })
    const owner = await following(hub, 'alice', `history/${SYSTEM}`)
    const disks = await following(hub, 'boss', `history/${SYSTEM}?kind=disks`)
    const other = await following(hub, 'bob', `history/${SYSTEM}`)
    const guest = await following(hub, '', `history/${SYSTEM}`)
    const wrong = await following(hub, 'alice', `history/${SYSTEM}?kind=everything`)
    const values = { 'cpu.busyPercent': 12.5049, 'filesystem.data.usedBytes': 7 }
    const tell = async (atMs: number) => {
      it.advanceTo(atMs)
      await hub.engine.database.write(async (unit) => {
        const sample = { system: SYSTEM, atMs, kinds: { system: pointsOf(values) } }
        await it.history.append(unit, [sample])
        for (const event of sampleEvents(sample)) unit.emit(event)
      })
    }
    await tell(NOW_MS + 123)
    const [sent] = await owner.read(2)
    assert.deepEqual([sent?.['tier'], sent?.['times']], ['1m', [NOW_MS + 123]])
    assert.deepEqual(sent?.['series'], [{ key: 'cpu.busyPercent', unit: 'percent', kind: 'system', average: [12.5] }])
    const window = { fromMs: NOW_MS + 123, toMs: NOW_MS + 124 }
    const [stored] = await it.history.read({ systems: [SYSTEM], kind: 'system', tier: '1m', window })
    assert.deepEqual(sent, JSON.parse(columnsJson(stored, 'system', '1m', window)), 'the same as the history has it')
    const [ofDisks] = await disks.read(2)
    assert.deepEqual(ofDisks?.['series'], [{ key: 'filesystem.data.usedBytes', unit: 'bytes', kind: 'disks', average: [7] }])
    stop()
    await hub.realtime.settled()
    for (const one of [other, guest, wrong]) assert.deepEqual(await one.read(1), [])
    for (const one of [owner, disks, other, guest, wrong]) await one.close()
  })
}
