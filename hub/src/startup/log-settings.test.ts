import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { databases } from '../../test/databases.ts'
import { defaultLogSettings } from '../operations/logs/log-settings.ts'
import { secretBox } from '../platform/secrets/secret-box.ts'
import { defaultSettings, SETTINGS, settingsOf } from '../settings/settings.ts'
import { logSettings } from './log-settings.ts'

for (const kind of databases)
  test(`${kind.name}: logSettings reloads after a change on any hub, and after a failure`, async () => {
    await using opened = await kind.open()
    const { database, bus } = opened
    const settings = settingsOf(database, secretBox(randomBytes(32)))
    let loads = 0
    let isAway = true
    const kept = logSettings(
      {
        async load() {
          loads += 1
          if (isAway) throw new Error('away')
          return settings.load()
        },
      },
      bus,
    )
    await assert.rejects(kept(), /away/)
    isAway = false
    assert.deepEqual([await kept(), await kept(), loads], [defaultLogSettings, defaultLogSettings, 2])
    const logs = { ...defaultLogSettings, maxDays: 9 }
    await settings.save({ ...defaultSettings, logs }, async () => {})
    assert.deepEqual([await kept(), await kept(), loads], [logs, logs, 3])
    bus.publish({ action: 'update', collection: SETTINGS, record: { id: 'settings' }, hub: 'another' })
    assert.deepEqual([await kept(), loads], [logs, 4])
  })
