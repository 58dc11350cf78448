import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { recordedHub } from '../recorded-hub.ts'

const [sqlite] = databases

test('GET /api/health: canBackup is false while a backup runs', async () => {
  assert.ok(sqlite)
  await using hub = await recordedHub(sqlite)
  const token = await hub.tokenOf('super')
  const canBackup = async (path: string): Promise<unknown> => {
    const { body } = await call(hub, `GET ${path}`, {}, { token })
    return (body['data'] as { readonly canBackup?: boolean }).canBackup // the schema of the route
  }
  for (const path of ['/api/health', '/api/health/']) {
    assert.equal(await canBackup(path), true)
    const seen = new Set<unknown>()
    let isRunning = true
    const made = call(hub, 'POST /api/backups', {}, { token }).finally(() => (isRunning = false))
    while (isRunning) {
      seen.add(await canBackup(path))
      // SQLite responds without a turn of the event loop, but the backup thread needs one to report.
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal((await made).status, 204)
    assert.ok(seen.has(false), path)
    assert.equal(await canBackup(path), true)
  }
})
