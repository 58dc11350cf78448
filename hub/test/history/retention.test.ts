import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { retentionSettings } from '../../src/settings/retention-settings.ts'
import { databases } from '../databases.ts'
import { recordedHub } from '../recorded-hub.ts'

const PATH = '/api/vedette/settings/retention'

for (const kind of databases) {
  test(`${kind.name}: an admin reads and changes the retention; invalid values are refused with an error for their field`, async () => {
    await using hub = await recordedHub(kind)
    const headers = { authorization: await hub.tokenOf('boss'), 'content-type': 'application/json' }
    const patch = async (body: Json) => hub.app.request(PATH, { method: 'PATCH', headers, body: JSON.stringify(body) })
    const first = (await (await hub.app.request(PATH, { headers })).json()) as Record<string, Json> // the response below
    assert.deepEqual(first['days'], { '1m': 90, '10m': 365, '2h': 1825 })
    assert.equal(first['mostBytes'], null)
    assert.deepEqual(first['forecast'], {
      storedBytes: 0,
      bytesPerDay: 0,
      finalBytes: 0,
      tiers: Object.fromEntries(
        Object.entries({ '1m': 90, '10m': 365, '2h': 1825 }).map(([tier, reachDays]) => [
          tier,
          { blocks: 0, storedBytes: 0, oldestMs: null, bytesPerDay: 0, reachDays },
        ]),
      ),
    })
    assert.equal((await patch({ days: { '1m': 30 }, mostBytes: 5_000_000_000 })).status, 200)
    const kept = await retentionSettings(hub.engine.database).load()
    assert.deepEqual(kept, { days: { '1m': 30, '10m': 365, '2h': 1825 }, mostBytes: 5_000_000_000 })
    const wrong = await patch({ days: { '1m': 1, '5m': 3, '2h': 'long' }, mostBytes: 12 })
    assert.equal(wrong.status, 400)
    const { data } = (await wrong.json()) as { data: Record<string, Json> } // an error of the records API
    assert.deepEqual(Object.keys(data).toSorted(), ['days.1m', 'days.2h', 'days.5m', 'mostBytes'])
    assert.deepEqual(await retentionSettings(hub.engine.database).load(), kept)
    assert.equal((await patch({ mostBytes: null })).status, 200)
    assert.equal((await retentionSettings(hub.engine.database).load()).mostBytes, undefined)
  })
}
